import { expect, test } from "vitest";
import { CommitQueue } from "./commit-queue.js";

function doubling(batches: number[][]) {
  return new CommitQueue<number, number>({
    commit: async (batch) => {
      batches.push([...batch]);
      await new Promise(setImmediate);
      if (batch.includes(13)) throw new Error("unlucky");
      return (index) => {
        const item = batch[index] ?? 0;
        if (item < 0) throw new Error("negative");
        return 2 * item;
      };
    },
  });
}

test("items that arrive while a batch is being stored are the next batch", async () => {
  const batches: number[][] = [];
  const queue = doubling(batches);
  const first = queue.add(1);
  const again = first.then(async (result) => [result, await queue.add(2)]);
  await new Promise(setImmediate);
  const others = [3, 4].map((item) => queue.add(item));
  expect(await again).toEqual([2, 4]);
  expect(await Promise.all(others)).toEqual([6, 8]);
  await queue.whenIdle();
  // The caller of the first item joins the second batch.
  expect(batches).toEqual([[1], [3, 4, 2]]);
});

test("an item fails alone, a batch as a whole, and the queue goes on", async () => {
  const batches: number[][] = [];
  const queue = doubling(batches);
  const outcomes = await Promise.allSettled([1, -1, 2].map((item) => queue.add(item)));
  expect(outcomes.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)))).toEqual([
    2,
    "Error: negative",
    4,
  ]);
  const failed = await Promise.allSettled([13, 1].map((item) => queue.add(item)));
  expect(failed.map((one) => one.status === "rejected" && String(one.reason))).toEqual([
    "Error: unlucky",
    "Error: unlucky",
  ]);
  expect(await queue.add(5)).toBe(10);
});

test("what a queue leaves waiting comes first in the next batch", async () => {
  const batches: number[][] = [];
  const events: string[] = [];
  const queue = new CommitQueue<number>({
    prepare: async () => void events.push("prepare"),
    choose: (waiting) => waiting.splice(0, 2),
    commit: async (batch) => {
      batches.push([...batch]);
      return () => undefined;
    },
    afterBatch: async () => void events.push("after"),
    onIdle: () => events.push("idle"),
  });
  await Promise.all([1, 2, 3].map((item) => queue.add(item)));
  await queue.whenIdle();
  expect(batches).toEqual([[1, 2], [3]]);
  expect(events).toEqual(["prepare", "after", "prepare", "after", "idle"]);
});

test("if a batch cannot be prepared, everything that waits fails", async () => {
  const queue = new CommitQueue<number>({
    prepare: () => Promise.reject(new Error("no lock")),
    commit: async () => () => undefined,
  });
  const outcomes = await Promise.allSettled([1, 2].map((item) => queue.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
