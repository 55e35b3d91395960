import { expect, onTestFinished, test, vi } from "vitest";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { newId } from "../core/ids.js";
import { MemoryStore } from "../log/memory/memory-store.js";
import type { Store } from "../log/store.js";
import type { Conversation } from "./conversation.js";
import { InterruptedRuns, type InterruptedRunsOptions } from "./interrupted-runs.js";
import { Runtime } from "./runtime.js";

const path = folderForEachTest();

type Parts = Pick<Store, "log" | "due">;

async function dueSession({ log }: Parts): Promise<string> {
  const session = await log.create({ agent: "main" });
  await session.append([], { due: true });
  await session.close();
  return session.id;
}

function interruptedRuns(store: Parts, more: Partial<InterruptedRunsOptions> = {}): InterruptedRuns {
  return new InterruptedRuns({
    store,
    isBusy: () => false,
    isElsewhere: async () => false,
    open: () => Promise.reject(new Error("it cannot be opened")),
    onFailure: () => undefined,
    ...more,
  });
}

async function isFree({ log }: Parts, id: string): Promise<boolean> {
  const lease = await log.lease(id);
  await lease?.release();
  return lease !== undefined;
}

test("a session that cannot be opened is tried again after 2 s, then half as often each time, and every 5 minutes in the end", async () => {
  const store = new MemoryStore();
  const id = await dueSession(store);
  let now = 0;
  const tried: number[] = [];
  const left = interruptedRuns(store, { onFailure: () => void tried.push(now / 1000) });
  for (; now <= 1_200_000; now += 1000) await left.resumeAll(now);
  expect(tried).toEqual([0, 2, 6, 14, 30, 62, 126, 254, 510, 810, 1110]);
  expect(await isFree(store, id)).toBe(true);
});

test("what failed is forgotten when the session is no longer due", async () => {
  const store = new MemoryStore();
  const id = await dueSession(store);
  const tried: number[] = [];
  let now = 0;
  const left = interruptedRuns(store, { onFailure: () => void tried.push(now) });
  const resumeAt = (time: number) => {
    now = time;
    return left.resumeAll(now);
  };
  await resumeAt(0);
  await resumeAt(2000);
  await store.due.forget(id);
  await resumeAt(2001);
  await (await store.log.open(id)).append([], { due: true });
  await resumeAt(2002);
  expect(tried).toEqual([0, 2000, 2002]);
});

test("a run that another process finishes while its lease is acquired is not resumed, and its session is left free", async () => {
  const store = new MemoryStore();
  const id = await dueSession(store);
  const { lease } = store.log;
  vi.spyOn(store.log, "lease").mockImplementationOnce(async (session) => {
    await store.due.forget(id);
    return lease.call(store.log, session);
  });
  let opened = 0;
  const open = () => Promise.reject(new Error(`opened ${++opened} times`));
  expect(await interruptedRuns(store, { open }).resumeAll(0)).toEqual([]);
  expect(opened).toBe(0);
  expect(await isFree(store, id)).toBe(true);
});

test("a session that was resumed and is left once more is not resumed again at once", async () => {
  const runtime = new Runtime({ home: path("home"), config: { model: "demo/echo" } });
  onTestFinished(() => runtime.close());
  const id = await dueSession(runtime.store);
  const left = interruptedRuns(runtime.store, { open: (session) => runtime.open(session) });
  vi.spyOn(runtime.store.due, "has").mockResolvedValue(true);
  const resumed = await left.resumeAll(0);
  expect(resumed.map(({ session }) => session.id)).toEqual([id]);
  await resumed[0]?.idle();
  await (await runtime.log.open(id)).append([], { due: true });
  expect(await left.resumeAll(1999)).toEqual([]);
  expect(await left.resumeAll(2000)).toHaveLength(1);
});

test("a session that does not exist any more is no longer due", async () => {
  const runtime = new Runtime({ home: path("home"), config: { model: "demo/echo" } });
  onTestFinished(() => runtime.close());
  const id = newId();
  const { due } = runtime.store;
  vi.spyOn(due, "list").mockResolvedValueOnce([id]);
  const forgotten = vi.spyOn(due, "forget");
  const failed: string[] = [];
  const left = interruptedRuns(runtime.store, { onFailure: (session) => void failed.push(session) });
  expect(await left.resumeAll(0)).toEqual([]);
  expect(failed).toEqual([id]);
  expect(forgotten.mock.calls).toEqual([[id]]);
});

test("a session that becomes due while it watches is resumed, until it is stopped", async () => {
  const store = new MemoryStore();
  const opened: string[] = [];
  const errors: unknown[] = [];
  let isOpened = () => {};
  const opening = new Promise<void>((resolve) => {
    isOpened = resolve;
  });
  const open = async (id: string): Promise<Conversation> => {
    opened.push(id);
    isOpened();
    throw new Error("it cannot be opened");
  };
  const stop = interruptedRuns(store, { open }).watch(
    () => expect.fail("nothing was resumed"),
    (error) => errors.push(error),
  );
  const id = await dueSession(store);
  await opening;
  stop();
  await dueSession(store);
  await new Promise(setImmediate);
  expect([opened, errors]).toEqual([[id], []]);
});

test("a session that only another gateway runs is left to it, and its lease stays free", async () => {
  const store = new MemoryStore();
  const id = await dueSession(store);
  const asked: string[] = [];
  const left = interruptedRuns(store, {
    isElsewhere: async (session) => {
      asked.push(session);
      return true;
    },
    open: () => expect.fail("it is not opened"),
  });
  for (const now of [0, 1000, 2000]) expect(await left.resumeAll(now)).toEqual([]);
  expect(asked).toEqual([id, id]);
  expect(await isFree(store, id)).toBe(true);
});
