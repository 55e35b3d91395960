import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { Locks } from "./lock.js";
import { Turn } from "./turn.js";

const path = folderForEachTest();
let now: number;

beforeEach(() => {
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

function begin() {
  const locks = new Locks(path());
  const turn = new Turn(locks, "a");
  return {
    turn,
    take: vi.spyOn(locks, "take"),
    release: vi.spyOn(locks, "release"),
    wanted: vi.spyOn(locks, "wanted"),
  };
}

test("appends that follow each other keep the lock, also for longer than it is ever slept", async () => {
  const { turn, take, release } = begin();
  for (now = 0; now < 20_000; now += 4_999) await turn.begin();
  expect([take.mock.calls.length, release.mock.calls.length]).toEqual([1, 0]);
  await turn.end();
});

test("a process that was stopped for 5 s takes its lock again, for it may have been taken for dead", async () => {
  const { turn, take, release } = begin();
  await turn.begin();
  now = 5_000;
  await turn.begin();
  expect([take.mock.calls, release.mock.calls]).toEqual([[["a"], ["a"]], [["a"]]]);
  await turn.end();
});

test("the lock goes to who wants it after 50 ms, not before", async () => {
  const { turn, take, release, wanted } = begin();
  await turn.begin();
  wanted.mockReturnValueOnce(true);
  now = 49;
  await turn.begin();
  expect(release).not.toHaveBeenCalled();
  now = 50;
  await turn.begin();
  expect([take.mock.calls.length, release.mock.calls.length]).toEqual([2, 1]);
  await turn.end();
});
