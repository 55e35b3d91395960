import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { wordsOf } from "../highlight.js";
import { parseQuery } from "../query.js";
import { separated } from "../searchable.js";
import { matchIn } from "./match.js";
import { SegmentBuilder } from "./segment-builder.js";
import { Segment, writeSegment } from "./segment-file.js";
import { TermTable } from "./term-table.js";
import { Tokenizer } from "./tokenizer.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dragoman-segment-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function tokensOf(text: string): string[] {
  const terms = new TermTable();
  const tokenizer = new Tokenizer(terms);
  tokenizer.add(Buffer.from(text));
  return [...tokenizer.tokens()].map((term) => Buffer.from(terms.bytesOf(term)).toString());
}

async function segmentOf(texts: readonly string[]): Promise<Segment> {
  const builder = new SegmentBuilder();
  for (const [index, text] of texts.entries()) {
    builder.add(index + 1, { text, id: `m${index}`, position: index, role: "user", timestamp: index });
  }
  const path = join(folder, "1.segment");
  writeSegment(path, await builder.finish(async () => undefined));
  return new Segment(path);
}

describe("words", () => {
  test.each([
    ["Fix the log_file, v2!", ["fix", "the", "log", "file", "v2"]],
    ["“load” — naïve │ café…", ["load", "naive", "cafe"]],
    ["x東日本y 1⁄2 ½", ["x", "東", "日", "本", "y", "1", "2", "½"]],
    ["", []],
  ])("of %j", (text, words) => {
    expect(tokensOf(text)).toEqual(words);
  });

  test("are those of queries and highlights, for any text", () => {
    let others = 0;
    const piece = fc.oneof(
      fc.constantFrom("Log", "é", "日本", "“", "│", " ", "a\u0301", "ß", "İ", "x_y", "\0", "½", "ก"),
      fc.string({ unit: "binary", maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        // Half of a surrogate pair has no bytes of its own.
        const text = Buffer.from(pieces.join("")).toString();
        if (/[^\0-\x7f]/.test(text)) others += 1;
        expect(tokensOf(text)).toEqual(wordsOf(separated(text)).filter((word) => word !== ""));
      }),
      { numRuns: 500 },
    );
    expect(others).toBeGreaterThan(200);
  });
});

describe("matches in a segment", () => {
  // More terms than a block of the dictionary has, and than the table of terms begins with.
  const many = Array.from({ length: 6000 }, (_, index) => `term${index}`).join(" ");
  const texts = ["the log file of the log", "file the log", `${many} log`, "nothing here", "LOG files"];

  test.each<[string, number[]]>([
    ["log", [0, 1, 2, 4]],
    ['"log file"', [0]],
    ['"the log"', [0, 1]],
    ["log fil", [0, 1, 4]],
    ['"log fil', []],
    ["log -file", [2, 4]],
    ['log -"the log"', [2, 4]],
    ["term5999 log", [2]],
    ["term", [2]],
    ['"term0 term1 term2"', [2]],
    ['"zzz"', []],
    ['"a"', []],
  ])("of %j", async (query, expected) => {
    const segment = await segmentOf(texts);
    try {
      expect(matchIn(segment, parseQuery(query)).messages).toEqual(expected);
    } finally {
      segment.close();
    }
  });

  test("state how often each term occurs", async () => {
    const segment = await segmentOf(texts);
    const { times } = matchIn(segment, parseQuery('"the log" file'));
    expect(times.map((byMessage) => [...byMessage])).toEqual([
      [
        [0, 2],
        [1, 1],
      ],
      [
        [0, 1],
        [1, 1],
        [4, 1],
      ],
    ]);
    expect(segment.stringOf("texts", 1)).toBe("file the log");
    expect(segment.stringOf("ids", 3)).toBe("m3");
    segment.close();
  });
});
