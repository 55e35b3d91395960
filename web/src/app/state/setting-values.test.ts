import { expect, test } from "vitest";
import { fieldText, settingValue } from "./setting-values.js";

test.each([
  ["text", " demo/echo ", "demo/echo", "demo/echo"],
  ["long", "Be brief.\n", "Be brief.\n", "Be brief.\n"],
  ["number", "12", 12, "12"],
  ["list", "read\n\n write \n", ["read", "write"], "read\nwrite"],
  ["json", '{"a":1}', { a: 1 }, '{\n  "a": 1\n}'],
] as const)("a field of kind %s", (kind, text, value, shown) => {
  expect(settingValue(text, kind)).toEqual(value);
  expect(fieldText(value, kind)).toBe(shown);
  expect(settingValue("  ", kind)).toBeUndefined();
  expect(fieldText(undefined, kind)).toBe("");
});

test("text that is not JSON is an error for the user", () => {
  expect(() => settingValue("{", "json")).toThrow("This is not JSON");
});
