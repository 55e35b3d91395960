import { expect, test } from "vitest";
import { boundedJson } from "./bounded-json.js";

test.each([
  ['{"a":[{"b":"]}[{\\"[[["}]}', { a: [{ b: ']}[{"[[[' }] }],
  ["[".repeat(200) + "]".repeat(200), expect.any(Array)],
  [`"${"[".repeat(1000)}"`, "[".repeat(1000)],
  [`[${"[],".repeat(500)}[]]`, expect.any(Array)],
])("%s is read", (text, value) => {
  expect(boundedJson(text)).toEqual(value);
});

test.each(["[".repeat(201) + "]".repeat(201), '{"a":'.repeat(201), `["\\\\",${"[".repeat(200)}`])(
  "%s is too deep",
  (text) => {
    expect(() => boundedJson(text)).toThrow(expect.objectContaining({ code: "json/too-deep" }));
  },
);
