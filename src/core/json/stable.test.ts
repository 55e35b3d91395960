import { expect, test } from "vitest";
import { stableJson } from "./stable.js";

test("writes the keys of all objects in the same order", () => {
  expect(stableJson({ b: [{ d: 1, c: null }], a: "x" })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  expect(stableJson({ a: "x", b: [{ c: null, d: 1 }] })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
});
