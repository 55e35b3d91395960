import { expect, test } from "vitest";
import { fnv1a, fnv1aHex } from "./hash.js";

// The values for ASCII are those of the algorithm's authors.
test.each([
  ["", 0x811c9dc5, "811c9dc5"],
  ["a", 0xe40c292c, "e40c292c"],
  ["foobar", 0xbf9cf968, "bf9cf968"],
])("of %j", (text, hash, hex) => {
  expect(fnv1a(text)).toBe(hash);
  expect(fnv1aHex(text)).toBe(hex);
});

test("has eight digits, however small", () => expect(fnv1aHex("", 7)).toBe("00000007"));
