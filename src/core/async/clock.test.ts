import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sleep, systemClock } from "./clock.js";

const DAY_MS = 24 * 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a wait may be longer than one timer can be", () => {
  let called = 0;
  systemClock.after(60 * DAY_MS, () => called++);
  vi.advanceTimersByTime(60 * DAY_MS - 1);
  expect(called).toBe(0);
  vi.advanceTimersByTime(1);
  expect(called).toBe(1);
});

test("a long wait can be cancelled after its first timer", () => {
  let called = 0;
  const cancel = systemClock.after(60 * DAY_MS, () => called++);
  vi.advanceTimersByTime(30 * DAY_MS);
  cancel();
  vi.advanceTimersByTime(60 * DAY_MS);
  expect(called).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("an aborted sleep rejects with the signal's reason and leaves no timer behind", async () => {
  const stop = new AbortController();
  const asleep = sleep(systemClock, 1000, stop.signal);
  stop.abort(new Error("enough"));
  await expect(asleep).rejects.toThrow("enough");
  expect(vi.getTimerCount()).toBe(0);
  await expect(sleep(systemClock, 1000, stop.signal)).rejects.toThrow("enough");
});
