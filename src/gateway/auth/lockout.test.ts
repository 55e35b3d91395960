import { expect, test } from "vitest";
import { Lockout } from "./lockout.js";

test("the wait doubles with each guess, up to a quarter of an hour, and is forgotten after an hour", () => {
  let now = 0;
  const lockout = new Lockout(() => now);
  const waits: number[] = [];
  for (let guess = 0; guess < 20; guess++) {
    lockout.recordWrong("10.0.0.1", `guess ${guess}`);
    waits.push(lockout.remaining("10.0.0.1"));
  }
  expect(waits).toEqual([
    ...[0, 0, 0, 0, 0],
    ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000],
    ...[900_000, 900_000, 900_000, 900_000, 900_000],
  ]);
  expect(lockout.remaining("10.0.0.2")).toBe(0);
  now += 3_600_001;
  lockout.recordWrong("10.0.0.1", "another");
  expect(lockout.remaining("10.0.0.1")).toBe(0);
});

test("neighbours in IPv6 are one guesser also where the address leaves zeros out", () => {
  const lockout = new Lockout(() => 0);
  for (let guess = 1; guess < 7; guess++) lockout.recordWrong(`2001:db8::${guess}:1`, `guess ${guess}`);
  expect([lockout.remaining("2001:db8::9"), lockout.remaining("2001:db8:0:1::1")]).toEqual([1000, 0]);
});

test("neighbours in IPv6 are one guesser", () => {
  const lockout = new Lockout(() => 0);
  for (let guess = 0; guess < 6; guess++) lockout.recordWrong(`2001:db8:1:2:${guess}::1`, `guess ${guess}`);
  expect([lockout.remaining("2001:db8:1:2:ffff::9"), lockout.remaining("2001:db8:1:3::1")]).toEqual([
    1_000, 0,
  ]);
});

test("a clock that steps back locks nobody out for longer than a quarter of an hour", () => {
  let now = 10 * 3_600_000;
  const lockout = new Lockout(() => now);
  for (let guess = 0; guess < 6; guess++) lockout.recordWrong("10.0.0.1", `guess ${guess}`);
  now = 0;
  expect(lockout.remaining("10.0.0.1")).toBe(900_000);
});

test("of ten thousand addresses, those that guessed last are remembered", () => {
  const lockout = new Lockout(() => 0);
  for (let guess = 0; guess < 6; guess++) lockout.recordWrong("first", `guess ${guess}`);
  for (let guess = 0; guess < 6; guess++) lockout.recordWrong("second", `guess ${guess}`);
  for (let address = 0; address < 9_998; address++) lockout.recordWrong(`address ${address}`, "guess");
  lockout.recordWrong("first", "guess 0");
  lockout.recordWrong("another", "guess");
  expect([lockout.remaining("first"), lockout.remaining("second")]).toEqual([1_000, 0]);
});
