import { expect, test } from "vitest";
import { parseArguments } from "./arguments.js";

test.each<[string, string, object]>([
  ["an object", '{"a":1}', { arguments: { a: 1 } }],
  ["nothing", "  ", { arguments: {} }],
  ["a raw line break in a string", '{"a":"x\ny"}', { arguments: { a: "x\ny" } }],
  ["an escape that is none", '{"a":"C:\\dir\\name\\x"}', { arguments: { a: "C:\\dir\name\\x" } }],
  ["a half-written unicode escape", '{"a":"\\u12"}', { arguments: { a: "\\u12" } }],
  ["a list", "[1]", { arguments: {}, argumentsError: "the arguments are JSON, but not an object" }],
  [
    "text that was cut off",
    '{"a":"x',
    {
      arguments: {},
      argumentsError:
        "the arguments are not JSON: expected the rest of the string, found the end of the text (line 1, column 8)",
    },
  ],
])("%s", (_, text, expected) => expect(parseArguments(text)).toEqual(expected));

test("a megabyte of backslashes is read in linear time", () => {
  const text = `{"a":"${"\\x".repeat(500_000)}"}`;
  expect(parseArguments(text).arguments).toEqual({ a: "\\x".repeat(500_000) });
});
