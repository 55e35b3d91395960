import { expect, test } from "vitest";
import { asciiJson, visibleJson } from "./visible.js";

test("what a terminal would obey is escaped, and the JSON says the same", () => {
  const value = { text: "a\u009b2J\u007f \u202egnp.exe\u2066\u2028é漢" };
  const json = visibleJson(JSON.stringify(value));
  expect(json).toBe('{"text":"a\\u009b2J\\u007f \\u202egnp.exe\\u2066\\u2028é漢"}');
  expect(JSON.parse(json)).toEqual(value);
});

test.each([
  ["boss ", '"boss "'],
  ["b\u043ess", '"b\\u043ess"'],
  ["boss\u200b", '"boss\\u200b"'],
  ["\u{1f600}", '"\\ud83d\\ude00"'],
])("in ASCII %j is %s", (text, json) => {
  expect(asciiJson(text)).toBe(json);
  expect(JSON.parse(json)).toBe(text);
});
