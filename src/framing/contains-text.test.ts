import { expect, test } from "vitest";
import { containsText, textSearch } from "./contains-text.js";

async function* chunksOf(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 2, 3, 7, 100])("a text is found across chunks of %i bytes", async (size) => {
  expect(await containsText(chunksOf('{"type":"thread_rolled_back"}', size), '"thread_rolled_back"')).toBe(
    true,
  );
  expect(await containsText(chunksOf('{"type":"thread_rolled_bac"}', size), '"thread_rolled_back"')).toBe(
    false,
  );
  expect(await containsText(chunksOf("", size), '"thread_rolled_back"')).toBe(false);
});

test("a text at the start or the end is found, and one that is cut off is not", () => {
  const isIn = textSearch("a_b");
  const encode = (text: string) => new TextEncoder().encode(text);
  expect(["a_b", "xa_b", "a_bx", "_a_b"].map((text) => isIn(encode(text)))).toEqual([true, true, true, true]);
  expect(["_b", "a_", "", "a-b"].map((text) => isIn(encode(text)))).toEqual([false, false, false, false]);
});
