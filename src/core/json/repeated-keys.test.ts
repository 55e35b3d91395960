import { expect, test } from "vitest";
import { findRepeatedKeys } from "./repeated-keys.js";

test.each<[string, [number, string][]]>([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', []],
  ['{"a":1,"a":2}', [[7, "a"]]],
  [
    '{"a":1,"b":{"c":1,"d":2,"c":3},"a":2,"a":3}',
    [
      [24, "c"],
      [31, "a"],
      [37, "a"],
    ],
  ],
  ['{"a" :1,"a"\n\t:2}', [[8, "a"]]],
  ['{"a":":","b":"x\\":y","c":"\\\\"}', []],
  ['{"a":":","a":"\\":"}', [[9, "a"]]],
  ['{"a\\\\":1,"a\\\\":2}', [[9, "a\\"]]],
  ['{"a":1,"\\u0061":2}', [[7, "a"]]],
  ['{"__proto__":1,"__proto__":2}', [[15, "__proto__"]]],
  ['[{"a":"{"},{"a":"}"}]', []],
  ['"a:"', []],
])("%s", (text, expected) => {
  expect(findRepeatedKeys(text).map(({ offset, key }) => [offset, key])).toEqual(expected);
});
