import { expect, test } from "vitest";
import { findInexactNumbers } from "./numbers.js";
import { findRepeatedKeys } from "./repeated-keys.js";
import { isUnchanged } from "./unchanged.js";

test.each([
  ['{"a":1,"b":{"c":[{"d":-2.5},"x: 1",null,true]}}', true],
  ['{"a" : 123456789012345}', true],
  ['{"a":"id: 12345678901234567890"}', true],
  ['{"a":"say \\"b\\": 12345678901234567890"}', true],
  ['{"a":12345678901234567890}', false],
  ['{"a": 1234567890123456}', false],
  ['{"a":0.10000000000000000555}', false],
  ['{"a":-0}', false],
  ['{"a":-0.0}', false],
  ['{"a":1e400}', false],
  ['{"a":1E5}', false],
  ['{"a":[1]}', false],
  ['{"a":[[12345678901234567890]]}', false],
  ["12345678901234567890", false],
  ['{"a":1,"a":2}', false],
  ['{"b":{"a":{},"\\u0061":{"c":1}}}', false],
  ['{"a":[": 1"]}', false],
])("%s", (text, expected) => {
  expect(isUnchanged(text, JSON.parse(text))).toBe(expected);
});

/** Numbers, keys and strings that could be mistaken for each other, in every arrangement. */
function* texts(): Generator<string> {
  const values = ["7", "-0", "12345678901234567890", "1e999", '":"', '"\\"a\\":1"', "[7]", '["a:"]', "{}"];
  for (const first of values)
    for (const second of values)
      for (const key of ["a", "b", ":"]) {
        yield `{"a":${first},"${key}": ${second}}`;
        yield `[{"a" :${first}},{"${key}":[${second}]}]`;
      }
}

test("texts that lose something are never unchanged", () => {
  let lossy = 0;
  let unchanged = 0;
  for (const text of texts()) {
    const value: unknown = JSON.parse(text);
    const isLossy = findInexactNumbers(text).length > 0 || findRepeatedKeys(text).length > 0;
    if (isLossy) lossy++;
    if (!isUnchanged(text, value)) continue;
    unchanged++;
    expect(isLossy, text).toBe(false);
  }
  expect({ lossy, unchanged }).toEqual({ lossy: 306, unchanged: 40 });
});
