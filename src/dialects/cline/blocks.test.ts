import { expect, test } from "vitest";
import type { UserContent } from "../../core/types.js";
import { decodeUserBlock, encodeBlock, encodeResultBlock, readResultBlock } from "./blocks.js";

const bytes = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const link = { type: "image", source: { type: "url", url: "https://example.test/a.png" }, alt: "a" };

test.each<[string, object, Partial<UserContent>]>([
  ["bytes", bytes, { type: "image", data: "AAAA", mimeType: "image/png" }],
  ["a link", link, { type: "image", url: "https://example.test/a.png" }],
])("an image in the shape of Anthropic is an image, and is written back as it was: %s", (_, wire, image) => {
  const given = decodeUserBlock(wire, "");
  expect(given).toMatchObject(image);
  expect(encodeBlock(given, [])).toEqual([wire]);
  const inResult = readResultBlock(wire, "");
  expect(inResult).toMatchObject(image);
  expect(inResult && encodeResultBlock(inResult)).toEqual([wire]);
});

test("a source that says more than we know is kept whole", () => {
  const wire = { type: "image", source: { type: "file", file_id: "f1" } };
  expect(decodeUserBlock(wire, "")).toEqual({ type: "opaque", dialect: "cline", value: wire });
});
