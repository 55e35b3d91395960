import { expect, test } from "vitest";
import { formatJson } from "./format-json.js";

test("members and elements get lines of their own", () => {
  expect(formatJson('{"a":[1,{"b":null}],"c":{},"d":[ ]}')).toBe(`{
  "a": [
    1,
    {
      "b": null
    }
  ],
  "c": {},
  "d": []
}`);
});

test("tokens stay as they are written", () => {
  expect(formatJson('{"n":1.0e+2,"big":12345678901234567890,"n":"\\u00e9 \\"{,}\\""}')).toBe(`{
  "n": 1.0e+2,
  "big": 12345678901234567890,
  "n": "\\u00e9 \\"{,}\\""
}`);
});

test("text that was cut off is formatted as far as it goes", () => {
  expect(formatJson('{"a":[1,"two')).toBe('{\n  "a": [\n    1,\n    "two');
  expect(formatJson("]]")).toBe("\n]\n]");
});
