import { expect, test } from "vitest";
import { ago, moment, timeOf } from "./when.js";

const now = new Date(2026, 0, 15, 12, 0, 0).getTime();
const before = (ms: number) => ago(now - ms, now);

test("how long ago, or the day when that says more", () => {
  expect([0, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999].map(before)).toEqual([
    "just now",
    "just now",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "23 h ago",
  ]);
  expect([86_400_000, 2 * 86_400_000, 7 * 86_400_000].map(before)).toEqual([
    "1 day ago",
    "2 days ago",
    "2026-01-08",
  ]);
  expect(before(-60_000)).toBe("2026-01-15");
  expect(moment(new Date(2026, 0, 5, 9, 3).getTime())).toBe("2026-01-05 09:03");
});

test("a day begins and ends where the reader is", () => {
  expect(timeOf("2026-01-15", "begin", now)).toBe(new Date(2026, 0, 15, 0, 0, 0, 0).getTime());
  expect(timeOf("2026-01-15", "end", now)).toBe(new Date(2026, 0, 15, 23, 59, 59, 999).getTime());
  expect(timeOf("2026-01-15T09:30:00Z", "begin", now)).toBe(1_768_469_400_000);
});

test("a length of time is as long ago", () => {
  expect(["30m", "12h", "3d", "1w"].map((text) => timeOf(text, "begin", now))).toEqual([
    now - 1_800_000,
    now - 43_200_000,
    now - 259_200_000,
    now - 604_800_000,
  ]);
});

test.each(["", "soon", "2026-13-45", "5", "1x", "-3d"])("%j is no time", (text) => {
  expect(timeOf(text, "begin", now)).toBeUndefined();
});
