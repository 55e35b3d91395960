import { expect, test } from "vitest";
import { isSynthesised } from "./neutral.js";

test.each<[string, boolean]>([
  ["/timestamp", true],
  ["/usage", true],
  ["/usage/input", true],
  ["/usages", false],
  ["/content/0", true],
  ["/content", false],
])("%s", (pointer, expected) => {
  const ext = { synthesised: ["/timestamp", "/usage", "/content/0"] };
  expect(isSynthesised({ ext }, pointer)).toBe(expected);
  expect(isSynthesised({}, pointer)).toBe(false);
  expect(isSynthesised({ ext: { pi: {} } }, pointer)).toBe(false);
});
