import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, cutAt, everyCut, positionsWithin } from "../../test/generate/chunks.js";
import { formatLine, NdjsonReader, type NdjsonRecord, readNdjson } from "./ndjson.js";

function readAll(chunks: Uint8Array[]): NdjsonRecord[] {
  const reader = new NdjsonReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.finish()];
}

function readUntilFailure(chunks: Uint8Array[]): { values: unknown[]; failure: unknown } {
  const reader = new NdjsonReader();
  const values: unknown[] = [];
  try {
    for (const chunk of chunks) values.push(...reader.push(chunk).map((record) => record.value));
    values.push(...reader.finish().map((record) => record.value));
  } catch (failure) {
    return { values, failure };
  }
  return { values, failure: undefined };
}

async function* stream(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield bytesOf(chunk);
}

test("records keep their line, offset and text, cut anywhere; blank lines count but give none", () => {
  for (const chunks of everyCut(bytesOf('\ufeff{"a":"\u20ac"}\r\n \t\r\n\n [1]\ntrue'))) {
    expect(readAll(chunks)).toEqual([
      { value: { a: "\u20ac" }, line: 1, offset: 3, text: '{"a":"\u20ac"}\r' },
      { value: [1], line: 4, offset: 21, text: " [1]" },
      { value: true, line: 5, offset: 26, text: "true" },
    ]);
  }
});

test("a syntax error has its line and column and comes after the records before it, cut anywhere", () => {
  for (const chunks of everyCut(bytesOf('1\n\n{"\u{1f600}":x}\n2\n'))) {
    const { values, failure } = readUntilFailure(chunks);
    expect(values).toEqual([1]);
    expect(failure).toMatchObject({ code: "json/syntax", line: 3, column: 7 });
  }
});

test("a torn last line is a syntax error at its end", () => {
  const { values, failure } = readUntilFailure([bytesOf('{"a":1}\n{"a":')]);
  expect(values).toEqual([{ a: 1 }]);
  expect(failure).toMatchObject({ code: "json/syntax", line: 2, column: 6 });
});

test("malformed UTF-8 comes after the records before it", () => {
  const { values, failure } = readUntilFailure([
    Uint8Array.of(...bytesOf('1\n2\n"ab'), 0xff, 0x22, 0x0a, 0x33),
  ]);
  expect(values).toEqual([1, 2]);
  expect(failure).toMatchObject({ code: "framing/invalid-utf8", line: 3, column: 4 });
});

test("a failed reader stays failed", () => {
  const reader = new NdjsonReader({ maxLineBytes: 3 });
  expect(reader.push(bytesOf("1\n1234\n2\n")).map((record) => record.value)).toEqual([1]);
  expect(reader.failure).toMatchObject({ code: "framing/line-too-long", line: 2 });
  expect(() => reader.push(bytesOf("3\n"))).toThrow("line 2 is longer than 3 bytes");
  expect(() => reader.finish()).toThrow("line 2 is longer than 3 bytes");
});

test("a stream gives its records, and then its failure without waiting for the next chunk", async () => {
  const seen: unknown[] = [];
  let asked = 0;
  async function* source() {
    for (const text of ["1\n2", "3\nx\n", "4\n"]) {
      asked++;
      yield bytesOf(text);
    }
  }
  const reading = async () => {
    for await (const record of readNdjson(source())) seen.push(record.value);
  };
  await expect(reading).rejects.toMatchObject({ code: "json/syntax", line: 3, column: 1 });
  expect(seen).toEqual([1, 23]);
  expect(asked).toBe(2);
});

test("a stream's last line needs no LF", async () => {
  const seen: unknown[] = [];
  for await (const record of readNdjson(stream('{"a', '":1}\n', "[2", "]"))) seen.push(record.value);
  expect(seen).toEqual([{ a: 1 }, [2]]);
});

test("a value is written as one line", () => {
  expect(formatLine({ role: "user", content: "a\nb\u2028" })).toBe(
    '{"role":"user","content":"a\\nb\u2028"}\n',
  );
});

test("what JSON cannot write is refused", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const throwing = {
    toJSON() {
      throw "no";
    },
  };
  for (const value of [undefined, () => 1, Symbol("s"), 1n, { big: 1n }, cycle, throwing]) {
    expect(() => formatLine(value)).toThrow(expect.objectContaining({ code: "model/invalid" }));
  }
  expect(() => formatLine(undefined)).toThrow("JSON cannot represent undefined");
  expect(() => formatLine(throwing)).toThrow("JSON cannot represent this value: no");
});

test("what could not be read again is not written", () => {
  const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
  expect(formatLine(nested(1000))).toBe(`${"[".repeat(1000)}${"]".repeat(1000)}\n`);
  expect(() => formatLine(nested(1001))).toThrow(expect.objectContaining({ code: "json/too-deep" }));
});

test("any JSON values, written as lines and cut anywhere, are read back", () => {
  let cutInside = 0;
  const values = fc.array(fc.jsonValue({ stringUnit: "binary" }), { minLength: 1, maxLength: 6 });
  const law = fc.property(values, fc.array(fc.nat(), { maxLength: 6 }), (input, numbers) => {
    const bytes = bytesOf(input.map(formatLine).join(""));
    const cuts = positionsWithin(bytes, numbers);
    if (cuts.some((cut) => cut > 0 && cut < bytes.length && bytes[cut - 1] !== 0x0a)) cutInside++;
    const records = readAll(cutAt(bytes, cuts));
    // JSON has no -0.
    expect(records.map((record) => record.value)).toEqual(JSON.parse(JSON.stringify(input)));
    expect(records.map((record) => record.line)).toEqual(input.map((_, i) => i + 1));
  });
  fc.assert(law, { numRuns: 1000 });
  expect(cutInside).toBeGreaterThan(500);
});
