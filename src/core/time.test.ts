import fc from "fast-check";
import { expect, test } from "vitest";
import { instantOf, isoTime, LAST_DATE } from "./time.js";

test.each<[text: unknown, ms: number | undefined]>([
  ["2025-01-06T09:00:00.000Z", 1736154000000],
  ["2025-01-06T23:59:59.999Z", 1736207999999],
  ["2025-01-06T09:00:01Z", 1736154001000],
  ["2025-01-06T09:00:00.000", 1736154000000],
  ["2025-01-06T10:00:00.000+01:00", 1736154000000],
  ["2025-01-06T24:00:00.000Z", 1736208000000],
  ["2025-01-06", 1736121600000],
  ["-000001-01-01T00:00:00.000Z", -62198755200000],
  ["2025-01-06T09:60:00.000Z", undefined],
  ["2025-01-06T09:00:0x.000Z", undefined],
  ["2025-01-06T09:00:00:000Z", undefined],
  ["2025-02-30T09:00:00.000Z", 1740906000000],
  [1736154000000, 1736154000000],
  [Number.NaN, undefined],
])("the instant of %s, also in a day that was read before", (text, ms) => {
  instantOf("2025-01-06T00:00:00.000Z");
  expect(instantOf(text)).toBe(ms);
  expect(instantOf(text)).toBe(ms);
});

test("times are written and read as Date does", () => {
  const time = fc.oneof(
    fc.integer({ min: -LAST_DATE, max: LAST_DATE }),
    fc.integer({ min: 1736121600000 - 1, max: 1736208000000 + 1 }),
  );
  fc.assert(
    fc.property(time, (ms) => {
      const text = new Date(ms).toISOString();
      expect(isoTime(ms)).toBe(text);
      expect(instantOf(text)).toBe(ms);
    }),
  );
});

test("a time without milliseconds, or that is none, is written in whole milliseconds", () => {
  expect(isoTime(1736154000000.9)).toBe("2025-01-06T09:00:00.000Z");
  expect(isoTime(-1.5)).toBe("1969-12-31T23:59:59.999Z");
  expect(isoTime(undefined)).toBe("1970-01-01T00:00:00.000Z");
  expect(isoTime(9e15)).toBe("1970-01-01T00:00:00.000Z");
});
