import { expect, test } from "vitest";
import { daysSince, firstMoment } from "./use-usage.js";

test("a period has this many days, today included, in UTC", () => {
  const now = Date.parse("2026-03-01T23:30:00Z");
  const since = firstMoment(now, 3);
  expect(new Date(since).toISOString()).toBe("2026-02-27T00:00:00.000Z");
  expect(daysSince(since, now)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});
