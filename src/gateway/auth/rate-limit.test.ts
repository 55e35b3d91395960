import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit.js";

test("what was used comes back evenly, and never more than there was", () => {
  let now = 0;
  const rates = new RateLimit(60, () => now);
  const left = () => rates.take("a").headers["x-ratelimit-remaining"];
  expect([left(), left(), left()]).toEqual(["59", "58", "57"]);
  now += 1_000;
  expect(left()).toBe("57");
  now += 3_600_000;
  expect(left()).toBe("59");
});

test("a clock that steps back takes nothing away for good", () => {
  let now = 1_000_000;
  const rates = new RateLimit(2, () => now);
  rates.take("a");
  now = 0;
  rates.take("a");
  now = 30_000;
  expect(rates.take("a").allowed).toBe(true);
});

test("callers that come and go do not fill the memory", () => {
  const rates = new RateLimit(1, () => 0);
  rates.take("first");
  expect(rates.take("first").allowed).toBe(false);
  for (let count = 0; count < 10_000; count++) rates.take(`caller ${count}`);
  expect(rates.take("first").allowed).toBe(true);
});

test("of many callers, whoever came last is remembered", () => {
  const rates = new RateLimit(2, () => 0);
  for (let count = 0; count < 10_000; count++) rates.take(`caller ${count}`);
  rates.take("caller 0");
  rates.take("another");
  expect([rates.take("caller 0").allowed, rates.take("caller 1").headers["x-ratelimit-remaining"]]).toEqual([
    false,
    "1",
  ]);
});
