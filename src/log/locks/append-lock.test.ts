import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { AppendLock } from "./append-lock.js";
import { Locks } from "./lock.js";

const path = folderForEachTest();
let now: number;

beforeEach(() => {
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

function begin() {
  const locks = new Locks(path());
  const turn = new AppendLock(locks, "a");
  return {
    turn,
    take: vi.spyOn(locks, "acquire"),
    release: vi.spyOn(locks, "release"),
    wanted: vi.spyOn(locks, "hasWaiter"),
  };
}

test("appends that follow each other keep the lock, also for longer than it is ever slept", async () => {
  const { turn, take, release } = begin();
  for (now = 0; now < 20_000; now += 4_999) await turn.acquire();
  expect([take.mock.calls.length, release.mock.calls.length]).toEqual([1, 0]);
  await turn.release();
});

test("a process that was stopped for 5 s takes its lock again, for it may have been taken for dead", async () => {
  const { turn, take, release } = begin();
  await turn.acquire();
  now = 5_000;
  await turn.acquire();
  expect([take.mock.calls, release.mock.calls]).toEqual([[["a"], ["a"]], [["a"]]]);
  await turn.release();
});

test("the lock goes to who wants it after 50 ms, not before", async () => {
  const { turn, take, release, wanted } = begin();
  await turn.acquire();
  wanted.mockReturnValueOnce(true);
  now = 49;
  await turn.acquire();
  expect(release).not.toHaveBeenCalled();
  now = 50;
  await turn.acquire();
  expect([take.mock.calls.length, release.mock.calls.length]).toEqual([2, 1]);
  await turn.release();
});
