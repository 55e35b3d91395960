import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit.js";

test("what was used comes back evenly, and never more than there was", () => {
  let now = 0;
  const rates = new RateLimit(60, () => now);
  const left = () => rates.charge("a").headers["x-ratelimit-remaining"];
  expect([left(), left(), left()]).toEqual(["59", "58", "57"]);
  now += 1_000;
  expect(left()).toBe("57");
  now += 3_600_000;
  expect(left()).toBe("59");
});

test("a clock that steps back takes nothing away for good", () => {
  let now = 1_000_000;
  const rates = new RateLimit(2, () => now);
  rates.charge("a");
  now = 0;
  rates.charge("a");
  now = 30_000;
  expect(rates.charge("a").allowed).toBe(true);
});

test("callers that come and go do not fill the memory", () => {
  const rates = new RateLimit(1, () => 0);
  rates.charge("first");
  expect(rates.charge("first").allowed).toBe(false);
  for (let count = 0; count < 10_000; count++) rates.charge(`caller ${count}`);
  expect(rates.charge("first").allowed).toBe(true);
});

test("of many callers, whoever came last is remembered", () => {
  const rates = new RateLimit(2, () => 0);
  for (let count = 0; count < 10_000; count++) rates.charge(`caller ${count}`);
  rates.charge("caller 0");
  rates.charge("another");
  expect([
    rates.charge("caller 0").allowed,
    rates.charge("caller 1").headers["x-ratelimit-remaining"],
  ]).toEqual([false, "1"]);
});

test("a caller can have a limit of its own, and gets more when it is raised", () => {
  let now = 0;
  const rates = new RateLimit(600, () => now);
  expect(rates.charge("a", 2)).toMatchObject({ allowed: true, limit: 2, remaining: 1, reset: 30 });
  expect(rates.charge("a", 2).allowed).toBe(true);
  expect(rates.charge("a", 2).headers["retry-after"]).toBe("30");
  now += 1_000;
  expect(rates.charge("a", 120)).toMatchObject({ allowed: true, limit: 120 });
  expect(rates.charge("b").limit).toBe(600);
});
