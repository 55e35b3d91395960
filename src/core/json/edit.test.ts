import { describe, expect, test } from "vitest";
import { removeIn, setIn } from "./edit.js";

describe("setting a value", () => {
  test.each<[string, string, [string, ...string[]], unknown, string]>([
    ["an empty object", "{}", ["a"], 1, '{\n  "a": 1\n}'],
    ["an empty object with room", "{ \n }\n", ["a", "b"], 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ["after the last", '{\n  "a": 1\n}\n', ["b"], [2], '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n'],
    ["with tabs", '{\n\t"a": 1\n}', ["b", "c"], 2, '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}'],
    ["with four spaces", '{\n    "a": {}\n}', ["a", "b"], 2, '{\n    "a": {\n        "b": 2\n    }\n}'],
    [
      "with Windows' line ends",
      '{\r\n  "a": 1\r\n}',
      ["b"],
      { c: 1 },
      '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}',
    ],
    ["in one line", '{"a": {"b": 1}}', ["a", "c"], { d: 2 }, '{"a": {"b": 1, "c": {"d":2}}}'],
    ["in place of another", '{\n  "a" : [ 1,2 ],\n  "b": 3\n}', ["a"], "x", '{\n  "a" : "x",\n  "b": 3\n}'],
    ["brackets in strings", '{"a":"}{\\"]","b":{"c":"\\\\"}}', ["b", "c"], 1, '{"a":"}{\\"]","b":{"c":1}}'],
    ["the last of a repeated key", '{"a":{"b":1},"a":{"c":2}}', ["a", "c"], 3, '{"a":{"b":1},"a":{"c":3}}'],
    ["a key with escapes", '{"\\u0061":1}', ["a"], 2, '{"\\u0061":2}'],
    [
      "with comments",
      '{\n  // first\n  "a": 1 // one, {\n  /* last */\n}',
      ["b"],
      2,
      '{\n  // first\n  "a": 1, // one, {\n  "b": 2\n  /* last */\n}',
    ],
    ["a URL is no comment", '{"a": "http://x" /* "a": 2 */}', ["a"], 1, '{"a": 1 /* "a": 2 */}'],
    ["a key of Object", '{"x":1}', ["constructor"], 2, '{"x":1, "constructor": 2}'],
  ])("%s", (_, text, path, value, expected) => {
    expect(setIn(text, path, value)).toBe(expected);
  });

  test("numbers that JavaScript cannot hold stay as they are", () => {
    expect(setIn('{"n":12345678901234567890.10}', ["a"], 1)).toBe('{"n":12345678901234567890.10, "a": 1}');
  });
});

describe("removing a value", () => {
  test.each<[string, string, [string, ...string[]], string]>([
    ["the first", '{\n  "a": 1,\n  "b": 2\n}', ["a"], '{\n  "b": 2\n}'],
    ["the last", '{\n  "a": 1,\n  "b": {"c": 2}\n}', ["b"], '{\n  "a": 1\n}'],
    [
      "with what is empty then",
      '{\n  "a": 1,\n  "b": {\n    "c": {\n      "d": 2\n    }\n  }\n}',
      ["b", "c", "d"],
      '{\n  "a": 1\n}',
    ],
    ["the only one", '{\n  "a": 1\n}\n', ["a"], "{}\n"],
    [
      "the first, with its comment",
      '{\n  "a": 1, // one\n  // two\n  "b": 2\n}',
      ["a"],
      '{\n  // two\n  "b": 2\n}',
    ],
    [
      "the last, next to comments",
      '{\n  "a": 1, // one, and only\n  // two\n  "b": 2\n}',
      ["b"],
      '{\n  "a": 1 // one, and only\n  // two\n}',
    ],
    ["what is not there", '{"a":{"b":1}}', ["a", "c"], '{"a":{"b":1}}'],
    ["in what is not there", '{"a":1}', ["b", "a"], '{"a":1}'],
    ["in what is no object", '{"a":1}', ["a", "a"], '{"a":1}'],
  ])("%s", (_, text, path, expected) => {
    expect(removeIn(text, path)).toBe(expected);
  });
});
