import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EventQueue } from "../../core/async/event-queue.js";
import { withSilences } from "./silences.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function silences() {
  let left = 0;
  const queue = new EventQueue<string>({ onLeave: () => left++ });
  return { queue, marked: withSilences(queue, 100, "silence"), left: () => left };
}

test("each period without an item is marked, and no item is lost", async () => {
  const { queue, marked } = silences();
  const first = marked.next();
  vi.advanceTimersByTime(100);
  expect(await first).toEqual({ done: false, value: "silence" });
  // It arrives before the reader asks again.
  queue.push("a");
  await vi.advanceTimersByTimeAsync(99);
  expect(await marked.next()).toEqual({ done: false, value: "a" });
  const second = marked.next();
  vi.advanceTimersByTime(99);
  queue.push("b");
  expect(await second).toEqual({ done: false, value: "b" });
  queue.end();
  expect(await marked.next()).toEqual({ done: true, value: undefined });
  expect(vi.getTimerCount()).toBe(0);
});

test("a failure is thrown, also one that came before the reader asked again", async () => {
  const { queue, marked } = silences();
  const first = marked.next();
  vi.advanceTimersByTime(100);
  await first;
  queue.fail(new Error("lost"));
  await vi.advanceTimersByTimeAsync(0);
  await expect(marked.next()).rejects.toThrow("lost");
  expect(vi.getTimerCount()).toBe(0);
});

test("a reader that leaves while it waits ends the source at once", async () => {
  const { marked, left } = silences();
  const waiting = marked.next();
  await marked.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(left()).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});
