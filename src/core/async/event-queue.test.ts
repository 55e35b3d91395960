import { expect, test } from "vitest";
import { EventQueue } from "./event-queue.js";

function queueOf(most: number) {
  const left: string[] = [];
  const queue = new EventQueue<string>({
    onLeave: () => left.push("left"),
    limit: { most, sizeOf: (text) => text.length, error: () => new Error("too much") },
  });
  return { queue, left };
}

test("a reader gets all in order, what comes later included", async () => {
  const { queue, left } = queueOf(100);
  queue.push("a");
  const read: string[] = [];
  for await (const text of queue) {
    read.push(text);
    if (text === "a") queue.push("b");
    else queue.end();
  }
  expect(read).toEqual(["a", "b"]);
  expect(left).toEqual(["left"]);
});

test("who reads too slowly gets an error instead", async () => {
  const { queue, left } = queueOf(5);
  queue.push("abc");
  queue.push("def");
  await expect(queue.next()).rejects.toThrow("too much");
  expect(left).toEqual(["left"]);
});

test("what was read does not count", async () => {
  const { queue } = queueOf(5);
  queue.push("abc");
  await queue.next();
  queue.push("def");
  expect(await queue.next()).toEqual({ done: false, value: "def" });
});

test("that the reader leaves is told", async () => {
  const { queue, left } = queueOf(5);
  queue.push("a");
  for await (const _ of queue) break;
  expect(left).toEqual(["left"]);
});

test("a reader gets what is unread before the error that the queue has ended with", async () => {
  const { queue, left } = queueOf(100);
  queue.push("a");
  queue.end({ error: new Error("lost") });
  queue.push("b");
  expect(await queue.next()).toEqual({ done: false, value: "a" });
  expect(left).toEqual([]);
  await expect(queue.next()).rejects.toThrow("lost");
  expect(left).toEqual(["left"]);
});

test("unread items are joined, those that are being read are not", async () => {
  const join = (last: string, next: string) => (last === "." ? undefined : last + next);
  const queue = new EventQueue<string>({ onLeave: () => undefined, join });
  for (const item of ["a", "b", "."]) queue.push(item);
  expect(await queue.next()).toEqual({ done: false, value: "ab." });
  for (const item of [".", "c", "d"]) queue.push(item);
  expect(await queue.next()).toEqual({ done: false, value: "." });
  queue.push("e");
  queue.end();
  const rest: string[] = [];
  for await (const item of queue) rest.push(item);
  expect(rest).toEqual(["cd", "e"]);
});
