import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, cutAt, everyCut, positionsWithin } from "../../test/generate/chunks.js";
import { decodeUtf8, findBadUtf8, Utf8Batch, Utf8Stream } from "./utf8.js";

function streamed(chunks: Uint8Array[]): string {
  const stream = new Utf8Stream();
  return chunks.map((chunk) => stream.push(chunk)).join("") + stream.finish();
}

test("characters of every length survive every cut", () => {
  for (const chunks of everyCut(bytesOf("a\u00fc\u20ac\u{1f600}z"))) {
    expect(streamed(chunks)).toBe("a\u00fc\u20ac\u{1f600}z");
  }
});

test.each([
  { name: "a stray continuation byte", bytes: [0x61, 0x80, 0x62], text: "a\ufffdb" },
  { name: "a lead without its continuation", bytes: [0x61, 0xe2, 0x82, 0x62], text: "a\ufffdb" },
  { name: "an overlong slash", bytes: [0xc0, 0xaf], text: "\ufffd\ufffd" },
  { name: "a surrogate", bytes: [0xed, 0xa0, 0x80], text: "\ufffd\ufffd\ufffd" },
  { name: "beyond U+10FFFF", bytes: [0xf4, 0x90, 0x80, 0x80], text: "\ufffd\ufffd\ufffd\ufffd" },
  { name: "an end inside a character", bytes: [0x61, 0xf0, 0x9f, 0x98], text: "a\ufffd" },
])("$name becomes U+FFFD wherever it is cut", ({ bytes, text }) => {
  for (const chunks of everyCut(Uint8Array.from(bytes))) expect(streamed(chunks)).toBe(text);
});

test("a character is handed over by the chunk that ends it", () => {
  const stream = new Utf8Stream();
  expect(stream.push(Uint8Array.of(0x61, 0xe2))).toBe("a");
  expect(stream.push(Uint8Array.of(0x82))).toBe("");
  expect(stream.push(Uint8Array.of(0xac))).toBe("\u20ac");
  expect(stream.finish()).toBe("");
});

test("any bytes decode as if they were never cut", () => {
  let malformed = 0;
  const bytes = fc.uint8Array({ maxLength: 40 });
  const law = fc.property(bytes, fc.array(fc.nat(), { maxLength: 6 }), (input, numbers) => {
    const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(input);
    if (whole.includes("\ufffd")) malformed++;
    expect(streamed(cutAt(input, positionsWithin(input, numbers)))).toBe(whole);
  });
  fc.assert(law, { numRuns: 2000 });
  expect(malformed).toBeGreaterThan(1000);
});

test("only malformed input has no strict text", () => {
  expect(decodeUtf8(bytesOf("\ufeff\u20ac\ufffd"))).toBe("\ufeff\u20ac\ufffd");
  expect(decodeUtf8(Uint8Array.of(0x61, 0xff))).toBeUndefined();
});

test("the first bad byte is found behind a real U+FFFD and a surrogate pair", () => {
  const good = bytesOf("\ufffd\u{1f600}\u00fc");
  expect(findBadUtf8(good)).toBeUndefined();
  expect(findBadUtf8(Uint8Array.of(...good, 0xe2, 0x82))).toEqual({ byte: 9, unit: 4 });
});

test("a batch holds the bytes of all texts since the last, however long", () => {
  const batch = new Utf8Batch();
  expect(batch.flush()).toEqual(new Uint8Array());
  batch.push("a");
  batch.push("\u00fc\u20ac");
  batch.push("\u{1f600}");
  expect(batch.flush()).toEqual(new Uint8Array([0x61, 0xc3, 0xbc, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80]));
  const long = "\u20ac\u{1f600}x".repeat(10_000);
  for (const text of ["a", long, "b", long]) batch.push(text);
  expect(decodeUtf8(batch.flush())).toBe(`a${long}b${long}`);
  batch.push("c");
  expect(batch.flush()).toEqual(new Uint8Array([0x63]));
});

test("a batch that was taken is not written to again", () => {
  const batch = new Utf8Batch();
  batch.push("first");
  const first = batch.flush();
  batch.push("other");
  expect(decodeUtf8(first)).toBe("first");
});
