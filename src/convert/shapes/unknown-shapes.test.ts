import { describe, expect, test } from "vitest";
import type { Dialect, JsonRecord } from "../../core/dialect.js";
import type { KnownShapes } from "../../core/records/known-shapes.js";
import { cursor } from "../../dialects/cursor/index.js";
import { opencode } from "../../dialects/opencode/index.js";
import { type Drifted, findUnknownShapes } from "./unknown-shapes.js";

const known: KnownShapes = {
  tags: ["type"],
  enums: ["reason"],
  free: ["input", "<note>.data"],
  records: "messages",
  objects: `
<note>: data any, id
<user>: id, message object, reason "done"|null, tags string[]
<user>.message: content string|object[]
<user>.message.content[]<text>: text
<user>.message.content[]<tool>: input any
`,
};

async function* inPieces(text: string, size = 7) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function find(text: string, dialect: Dialect = cursor): Promise<Drifted> {
  return findUnknownShapes(inPieces(text), dialect, known);
}

/** `kind | path | type`, for records that are lines. */
async function shapesOf(...records: JsonRecord[]): Promise<string[]> {
  const { shapes } = await find(records.map((record) => JSON.stringify(record)).join("\n"));
  return shapes.map(({ kind, path, type }) => `${kind} | ${path} | ${type}`);
}

describe("what is known is not reported", () => {
  test.each<JsonRecord>([
    { type: "user", id: "a", message: { content: "hi" }, reason: null, tags: [] },
    { type: "user", message: { content: [{ type: "text", text: "hi" }] }, reason: "done", tags: ["a"] },
    { type: "user", message: { content: [{ type: "tool", input: { any: [{ thing: 1 }] } }] } },
    { type: "note", data: { "/home/ann": { a: 1 } } },
    { type: "user", "x-dragoman": { anything: 1 } },
  ])("%j", async (record) => expect(await shapesOf(record)).toEqual([]));
});

describe("what is unknown is reported", () => {
  test.each<[string, JsonRecord, string[]]>([
    ["a field", { type: "user", colour: "red" }, ["user | colour | string"]],
    ["a type", { type: "user", id: 7 }, ["user | id | number"]],
    ["a member's type", { type: "user", tags: ["a", 7] }, ["user | tags | number[]"]],
    ["a value", { type: "user", reason: "paused" }, ['user | reason | "paused"']],
    [
      "a kind of block",
      { type: "user", message: { content: [{ type: "film", length: 7 }] } },
      ["user | message.content[]<film> | object", "user | message.content[]<film>.length | number"],
    ],
    [
      "a kind of record, with what is in fields of known names",
      { type: "new", message: { content: "hi", extra: 7 } },
      [
        "new |  | object",
        "new | message | object",
        "new | message.content | string",
        "new | message.extra | number",
      ],
    ],
    ["a record without a kind", { id: "a" }, [" |  | object", " | id | string"]],
  ])("%s", async (_name, record, expected) => expect(await shapesOf(record)).toEqual(expected));
});

test("an object of an unknown kind is counted once", async () => {
  const { shapes } = await find('{"type":"new","message":{}}');
  expect(shapes.map(({ path, count }) => [path, count])).toEqual([
    ["", 1],
    ["message", 1],
  ]);
});

test("members of an array are counted once for each record that has them", async () => {
  const { shapes } = await find('{"type":"user","tags":[1,2,"a",3],"lists":[[1,2],[3]]}');
  expect(shapes.map(({ path, type, count }) => [path, type, count])).toEqual([
    ["tags", "number[]", 1],
    ["lists", "number[][]", 1],
  ]);
});

test("shapes are counted, with the line of the first one", async () => {
  const text = '{"type":"user"}\n\n{"type":"user","colour":1}\nnot JSON\n{"type":"user","colour":2}\n';
  expect(await find(text)).toEqual({
    shapes: [{ kind: "user", path: "colour", type: "number", count: 2, at: "/1", line: 3 }],
    more: 0,
    unread: 1,
  });
});

test("a place in a document is the record's pointer", async () => {
  const document = { info: { id: "s" }, messages: [{ info: { role: "user" }, parts: [] }] };
  const { shapes } = await find(JSON.stringify(document), opencode);
  expect(shapes.map(({ path, at, line }) => [path, at, line])).toContainEqual([
    "parts",
    "/messages/0",
    undefined,
  ]);
});

test("records in a record are examined as records", async () => {
  const record = {
    type: "note",
    id: "a",
    messages: [
      { type: "user", colour: 1 },
      { type: "note", id: "a" },
    ],
  };
  expect(await shapesOf(record)).toEqual(["user | colour | number"]);
});

test("nothing below an unknown field is shown, because its keys could be content", async () => {
  const record = { type: "user", people: { ann: { type: "text", bob: 1 } }, lists: [[{ carol: 1 }]] };
  expect(await shapesOf(record)).toEqual(["user | people | object", "user | lists | object[][]"]);
});

test("content does not leak through keys, tags and values", async () => {
  const secret = "sk-ant-api03-SECRET";
  const path = "/home/SECRET/notes.txt";
  const ansi = "\u001b[31mSECRET";
  const keys = { [secret]: secret, [path]: 1, [ansi]: null, "two SECRET words": true };
  const records = [
    { type: secret, ...keys },
    { type: ansi, message: keys },
    { type: "user", reason: secret, ...keys, message: { content: [{ type: path, ...keys }], ...keys } },
    { type: "user", reason: ansi, nested: keys, tags: [keys] },
  ];
  const found = await find(records.map((record) => JSON.stringify(record)).join("\n"));
  expect(JSON.stringify(found)).not.toContain("SECRET");
  expect(found.shapes.map(({ kind, path: at, type }) => `${kind} | ${at} | ${type}`)).toEqual([
    "{value} |  | object",
    "{value} | {key} | string",
    "{value} | {key} | number",
    "{value} | {key} | null",
    "{value} | {key} | boolean",
    "{value} | message | object",
    "{value} | message.{key} | string",
    "{value} | message.{key} | number",
    "{value} | message.{key} | null",
    "{value} | message.{key} | boolean",
    "user | reason | string",
    "user | {key} | string",
    "user | {key} | number",
    "user | {key} | null",
    "user | {key} | boolean",
    "user | message.content[]<{value}> | object",
    "user | message.content[]<{value}>.{key} | string",
    "user | message.content[]<{value}>.{key} | number",
    "user | message.content[]<{value}>.{key} | null",
    "user | message.content[]<{value}>.{key} | boolean",
    "user | message.{key} | string",
    "user | message.{key} | number",
    "user | message.{key} | null",
    "user | message.{key} | boolean",
    "user | nested | object",
    "user | tags | object[]",
  ]);
});

test("a file of another format does not fill the memory", async () => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const names = letters.flatMap((a) => letters.map((b) => `${a}${b}`));
  const { shapes, more } = await find(names.map((name) => `{"type":"user","${name}":1}`).join("\n"));
  expect([shapes.length, more]).toEqual([500, 176]);
});

test("objects nested without end are left out at some depth", async () => {
  const deep = `${'{"type":"new","message":'.repeat(90)}1${"}".repeat(90)}`;
  const { shapes } = await find(deep);
  expect(shapes.length).toBeLessThan(100);
});
