import { expect, test } from "vitest";
import { bytesOf, everyCut, oneByOne } from "../../test/generate/chunks.js";
import { DragomanError } from "../core/error.js";
import { decodeLine, type Line, LineSplitter, MAX_LINE_BYTES, readLines } from "./lines.js";

function split(chunks: Uint8Array[]): Line[] {
  const splitter = new LineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.finish()];
}

function shown(lines: Line[]) {
  return lines.map((line) => [decodeLine(line), line.line, line.offset, line.terminated]);
}

function failureOf(run: () => unknown): DragomanError {
  try {
    run();
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

async function* stream(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield bytesOf(chunk);
}

test.each([
  { name: "nothing", text: "", lines: [] },
  { name: "one LF", text: "\n", lines: [["", 1, 0, true]] },
  {
    name: "terminated lines",
    text: "ab\n\ncd\n",
    lines: [
      ["ab", 1, 0, true],
      ["", 2, 3, true],
      ["cd", 3, 4, true],
    ],
  },
  {
    name: "a torn last line",
    text: "ab\ncd",
    lines: [
      ["ab", 1, 0, true],
      ["cd", 2, 3, false],
    ],
  },
  {
    name: "CR, which is no line ending and is kept",
    text: "a\r\nb\rc\r\n",
    lines: [
      ["a\r", 1, 0, true],
      ["b\rc\r", 2, 3, true],
    ],
  },
  {
    name: "characters of several bytes, counted as bytes",
    text: "\u20ac\u{1f600}\nz\n",
    lines: [
      ["\u20ac\u{1f600}", 1, 0, true],
      ["z", 2, 8, true],
    ],
  },
  {
    name: "a byte order mark, skipped at the start only",
    text: "\ufeffa\n\ufeffb\n",
    lines: [
      ["a", 1, 3, true],
      ["\ufeffb", 2, 5, true],
    ],
  },
  { name: "a byte order mark alone", text: "\ufeff", lines: [] },
  { name: "a byte order mark and LF", text: "\ufeff\n", lines: [["", 1, 3, true]] },
])("$name, cut anywhere", ({ text, lines }) => {
  for (const chunks of everyCut(bytesOf(text))) expect(shown(split(chunks))).toEqual(lines);
});

test("a line is handed over by the chunk that ends it", () => {
  const splitter = new LineSplitter();
  expect(shown(splitter.push(bytesOf("a")))).toEqual([]);
  expect(shown(splitter.push(bytesOf("b\nc")))).toEqual([["ab", 1, 0, true]]);
  expect(shown(splitter.finish())).toEqual([["c", 2, 3, false]]);
  expect(splitter.finish()).toEqual([]);
});

test("refilling a chunk does not change an unfinished line", () => {
  const splitter = new LineSplitter();
  const chunk = bytesOf("abc");
  splitter.push(chunk);
  chunk.set(bytesOf("de\n"));
  expect(shown(splitter.push(chunk))).toEqual([["abcde", 1, 0, true]]);
});

test("a line of 1 MB in chunks of one byte", () => {
  const lines = split(oneByOne(bytesOf(`${"x".repeat(1_000_000)}\ny`)));
  expect(lines.map((line) => [line.bytes.length, line.offset])).toEqual([
    [1_000_000, 0],
    [1, 1_000_001],
  ]);
});

test("the default limit is 64 MiB", () => expect(MAX_LINE_BYTES).toBe(67_108_864));

test.each([["abcde\n"], ["abcde"]])("a line of the longest length passes: %j", (text) => {
  for (const chunks of everyCut(bytesOf(text))) {
    const splitter = new LineSplitter({ maxLineBytes: 5 });
    const lines = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.finish()];
    expect(lines.map(decodeLine)).toEqual(["abcde"]);
  }
});

test.each([["ok\nabcdef\nok\n"], ["ok\nabcdef"]])(
  "a longer line fails after the lines before it: %j",
  (text) => {
    for (const chunks of everyCut(bytesOf(text))) {
      const splitter = new LineSplitter({ maxLineBytes: 5 });
      const seen: string[] = [];
      const failure = failureOf(() => {
        for (const chunk of chunks) seen.push(...splitter.push(chunk).map(decodeLine));
        seen.push(...splitter.finish().map(decodeLine));
      });
      expect(seen).toEqual(["ok"]);
      expect(failure).toMatchObject({ code: "framing/line-too-long", line: 2 });
      expect(splitter.failure).toBe(failure);
    }
  },
);

test("an unfinished line fails before it ends", () => {
  const splitter = new LineSplitter({ maxLineBytes: 5 });
  splitter.push(bytesOf("abcde"));
  expect(failureOf(() => splitter.push(bytesOf("f")))).toMatchObject({
    code: "framing/line-too-long",
    line: 1,
  });
  expect(failureOf(() => splitter.push(bytesOf("\n")))).toBe(splitter.failure);
});

test("malformed UTF-8 is placed by line, column and byte", () => {
  const [, second] = split([Uint8Array.of(...bytesOf("one\n\u{1f600}\u00fcx"), 0xc3, 0x28, 0x0a)]);
  const failure = failureOf(() => second && decodeLine(second));
  expect(failure).toMatchObject({ code: "framing/invalid-utf8", line: 2, column: 5 });
  expect(failure.message).toBe("line 2 is not UTF-8: bad byte at offset 11 of the input");
});

test("a stream gives its lines, and then its failure", async () => {
  const lines: Line[] = [];
  for await (const line of readLines(stream("a\nb", "c\nd"))) lines.push(line);
  expect(lines.map(decodeLine)).toEqual(["a", "bc", "d"]);

  const seen: string[] = [];
  const reading = async () => {
    for await (const line of readLines(stream("a\nbcd", "\n"), { maxLineBytes: 2 }))
      seen.push(decodeLine(line));
  };
  await expect(reading).rejects.toMatchObject({ code: "framing/line-too-long", line: 2 });
  expect(seen).toEqual(["a"]);
});
