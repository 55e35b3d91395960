import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PayloadParser } from "./payload-parser.js";

const FIELDS = ["text", "arguments", "n"];
/** As many payloads as are parsed before a shape is remembered. */
const first = Array.from({ length: 8 }, () => '{"a":1}');

/** Parses all texts as one stream, and each by itself. */
function parsed(texts: readonly string[]): { found: unknown[]; expected: unknown[] } {
  const parser = new PayloadParser(FIELDS);
  const all = [...first, ...texts];
  return { found: all.map((text) => parser.parse(text)), expected: all.map((text) => JSON.parse(text)) };
}

test.each([
  ["texts", ['{"t":1,"text":"a"}', '{"t":1,"text":"b"}', '{"t":1,"text":"c\\n\\u00e9\\""}']],
  ["characters that are not ASCII", ['{"text":"a"}', '{"text":"é漢😀"}']],
  ["two values", ['{"x":[{"arguments":"a"}],"n":1}', '{"x":[{"arguments":"b"}],"n":22}']],
  ["another shape", ['{"text":"a"}', '{"text":"b","more":1}', '{"text":"c"}', '{"text":"d"}']],
  ["a further field that looks like text", ['{"text":"a"}', '{"text":"b","text":"c"}']],
  ["an escaped end", ['{"text":"a","n":1}', '{"text":"b\\\\","n":2}', '{"text":"\\",\\"n\\":3","n":4}']],
  ["a field twice", ['{"text":"a","text":"b"}', '{"text":"c","text":"d"}']],
  [
    "a value that looks like a mark",
    ['{"a":"dragoman value 0","text":"x"}', '{"a":"dragoman value 0","text":"y"}'],
  ],
  ["an object beside the text", ['{"o":{"a":1},"text":"x"}', '{"o":{"a":1},"text":"y"}']],
  ["a key that is special", ['{"__proto__":{"text":"x"}}', '{"__proto__":{"text":"y"}}']],
  ["numbers of other forms", ['{"n":1}', '{"n":1.5}', '{"n":-1}', '{"n":12345678901234567890}', '{"n":"1"}']],
])("%s", (_, texts) => {
  const { found, expected } = parsed(texts);
  expect(found).toEqual(expected);
  expect(found.map((value) => JSON.stringify(value))).toEqual(expected.map((value) => JSON.stringify(value)));
});

test("payloads share nothing that a reader could change", () => {
  const { found } = parsed(Array.from({ length: 3 }, () => '{"x":[{"arguments":"a"}]}'));
  const [one, two] = found.slice(-2) as { x: object[] }[];
  expect(one).not.toBe(two);
  expect(one?.x).not.toBe(two?.x);
  expect(one?.x[0]).not.toBe(two?.x[0]);
});

test.each(['{"text":"a\tb"}', '{"text":"a"b"}', '{"text":"\\x"}', '{"text":"a'])("%j is an error", (text) => {
  const parser = new PayloadParser(FIELDS);
  for (const one of [...first, '{"text":"a"}', '{"text":"b"}']) parser.parse(one);
  expect(() => parser.parse(text)).toThrow("the stream contains a payload that is not JSON");
});

test("an end mark is not JSON", () => {
  expect(new PayloadParser(FIELDS).parse("[DONE]")).toBe("[DONE]");
});

describe("any stream is parsed as if each payload were alone", () => {
  const value = fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.nat(), fc.constant('","n":"'));
  const payload = fc.oneof(
    fc.record({ type: fc.constant("t"), text: value }),
    fc.record({ c: fc.tuple(fc.record({ d: fc.record({ arguments: value }) })), n: fc.nat({ max: 20 }) }),
    fc.record({ text: value, n: value, o: fc.constantFrom(null, {}, [], 1) }),
  );
  test("values, names and order", () => {
    fc.assert(
      fc.property(fc.array(payload, { maxLength: 20 }), (list) => {
        const { found, expected } = parsed(list.map((one) => JSON.stringify(one)));
        expect(found.map((one) => JSON.stringify(one))).toEqual(expected.map((one) => JSON.stringify(one)));
      }),
      { numRuns: 500 },
    );
  });
});
