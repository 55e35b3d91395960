import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SessionFolder } from "../../../test/fakes/session-folder.js";
import { emptyUsage } from "../../core/message/usage.js";
import { openCatalogue } from "./catalogue.js";
import { parseQuery } from "./query.js";
import type { Catalogue, SearchFilters } from "./types.js";

const folder = new SessionFolder();
let catalogue: Catalogue;

const texts = {
  plain: "Fix the log file of the parser",
  operators: "AND OR NOT NEAR(a b) col:umn ^start (x) a* {y} + -",
  quotes: 'she said "hello there" and left',
  accents: "Crème brûlée à la façon d'Åse",
  chinese: "我们在东日本桥讨论全文搜索",
  japanese: "東京タワーで検索する",
  korean: "데이터베이스를 검색합니다",
  thai: "ค้นหาข้อความภาษาไทย",
  emoji: "rocket 🚀 launch",
  nul: "before\0after",
  marks: "x \ufdd0y\ufdd1 z",
  long: `${"a".repeat(50_000)} needle ${"b".repeat(50_000)}`,
  half: "lone \ud800 surrogate",
};

function user(id: string, content: unknown, timestamp: number) {
  return { role: "user", id, content, timestamp };
}

beforeAll(async () => {
  const all = Object.entries(texts).map(([id, text], index) => user(id, text, 100 + index));
  folder.append("T", [{ role: "session", id: "T", key: "k", timestamp: 1 }, ...all]);
  folder.append(
    "W",
    [
      {
        role: "assistant",
        id: "call",
        content: [
          { type: "thinking", thinking: "pondering" },
          { type: "text", text: "Writing it." },
          {
            type: "toolCall",
            id: "1",
            name: "write_file",
            arguments: { path: "a.ts", text: "first\nsecond" },
          },
        ],
        ...{
          api: "messages",
          provider: "p",
          model: "m",
          usage: emptyUsage(),
          stopReason: "toolUse",
          timestamp: 500,
        },
      },
      {
        role: "toolResult",
        id: "result",
        toolCallId: "1",
        toolName: "write_file",
        content: [{ type: "text", text: `${"word ".repeat(20_000)}beyond` }],
        ...{ isError: false, timestamp: 600 },
      },
      user(
        "blocks",
        [
          { type: "text", text: "block one" },
          { type: "image", url: "https://a.example/b" },
        ],
        700,
      ),
    ],
    "writer",
  );
  catalogue = openCatalogue(folder.options());
  await catalogue.update();
});

afterAll(async () => {
  await catalogue.close();
  folder.remove();
});

async function found(query: string, filters?: SearchFilters): Promise<(string | undefined)[]> {
  const { hits } = await catalogue.search(query, filters);
  return hits.map(({ message }) => message).sort();
}

describe("what is found", () => {
  test.each<[string, string[]]>([
    ["log parser", ["plain"]],
    ['"log file"', ["plain"]],
    ['"file log"', []],
    ["pars", ["plain"]],
    ["pars log", []],
    ["log -parser", []],
    ["log -missing", ["plain"]],
    ['log -"the log"', []],
    ["AND OR NOT", ["operators"]],
    ["NEAR(a b)", ["operators"]],
    ["col:umn", ["operators"]],
    ["(x) col", ["operators"]],
    ["a* {y}", ["operators"]],
    ['"hello there', ["quotes"]],
    ['said"hello"', ["quotes"]],
    ["creme brulee", ["accents"]],
    ["CRÈME", ["accents"]],
    ["ase", ["accents"]],
    ["日本", ["chinese"]],
    ["东日本桥", ["chinese"]],
    ["搜索", ["chinese"]],
    ["本日", []],
    ["検索", ["japanese"]],
    ["タワー", ["japanese"]],
    ["검색", ["korean"]],
    ["베이스", ["korean"]],
    ["ข้อความ", ["thai"]],
    ["🚀 launch", ["emoji"]],
    ["before after", ["nul"]],
    ["bef\0aft", []],
    ["x y z", ["marks"]],
    ["needle", ["long"]],
    ["a".repeat(50_000), ["long"]],
    ["surrogate", ["half"]],
    ["lone \ud800", ["half"]],
    ["write_file", ["call"]],
    ["second", ["call"]],
    ["path a.ts", ["call"]],
    ["pondering", []],
    ["word", ["result"]],
    ["beyond", []],
    ["block one", ["blocks"]],
  ])("%j", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });
});

test.each<[string, string[]]>([
  ["", []],
  ["   ", []],
  ['""', []],
  ['"', []],
  ["🚀", ["🚀"]],
  ["-log", ["log"]],
  ["- * log", ["-", "*"]],
])("of %j is ignored %j", async (query, ignored) => {
  expect((await catalogue.search(query)).ignored).toEqual(ignored);
});

test("what is beyond fifty terms is ignored, and said so", () => {
  const words = Array.from({ length: 52 }, (_, index) => `w${index}`);
  expect(parseQuery(words.join(" ")).ignored).toEqual(["w50", "w51"]);
});

test.each<[string, SearchFilters, string[]]>([
  ["log", { agent: "main" }, ["plain"]],
  ["log", { agent: "writer" }, []],
  ["log", { key: "k" }, ["plain"]],
  ["log", { key: "other" }, []],
  ["log", { role: "user" }, ["plain"]],
  ["log", { role: "assistant" }, []],
  ["log", { since: 100, until: 100 }, ["plain"]],
  ["log", { since: 101 }, []],
  ["log", { until: 99 }, []],
  ["log", { limit: 0 }, []],
])("%j with %j", async (query, filters, expected) => {
  expect(await found(query, filters)).toEqual(expected);
});

test("a hit says where it is, and shows it", async () => {
  expect((await catalogue.search("log pars")).hits).toEqual([
    {
      session: "T",
      source: "dragoman",
      agent: "main",
      message: "plain",
      position: 52,
      role: "user",
      timestamp: 100,
      snippet: [
        { text: "Fix the ", match: false },
        { text: "log", match: true },
        { text: " file of the ", match: false },
        { text: "parser", match: true },
      ],
    },
  ]);
});

test.each([
  [
    "brulee",
    [
      { text: "Crème ", match: false },
      { text: "brûlée", match: true },
      { text: " à la façon d'Åse", match: false },
    ],
  ],
  [
    "全文",
    [
      { text: "我们在东日本桥讨论", match: false },
      { text: "全文", match: true },
      { text: "搜索", match: false },
    ],
  ],
  [
    "needle",
    [
      { text: "…", match: false },
      { text: `${"a".repeat(59)} `, match: false },
      { text: "needle", match: true },
      { text: ` ${"b".repeat(173)}`, match: false },
      { text: "…", match: false },
    ],
  ],
])("the snippet of %s has no traces of the index and is short", async (query, snippet) => {
  expect((await catalogue.search(query)).hits[0]?.snippet).toEqual(snippet);
});

test("whatever is typed is a query", async () => {
  let searched = 0;
  const piece = fc.oneof(
    fc.constantFrom(
      '"',
      "-",
      "*",
      "^",
      "(",
      ")",
      ":",
      "AND",
      "NOT",
      "NEAR",
      "log",
      "+",
      "{",
      "\0",
      "漢",
      " ",
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const query = pieces.join("");
      await catalogue.search(query);
      if (parseQuery(query).match !== undefined) searched += 1;
    }),
    { numRuns: 300 },
  );
  expect(searched).toBeGreaterThan(150);
});
