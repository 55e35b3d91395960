import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { load } from "../../convert/detect.js";
import type { AgentMessage } from "../../core/types.js";
import { type FileTail, tailFile } from "./file-tail.js";

const path = () => join(temporaryFolder(), "session");

function line(text: string): string {
  return `${JSON.stringify({ role: "user", content: text, timestamp: 1 })}\n`;
}

function document(...texts: string[]): string {
  return JSON.stringify({ version: 1, messages: texts.map((content) => ({ role: "user", content })) });
}

function texts(messages: readonly AgentMessage[]): unknown[] {
  return messages.flatMap((message) => (message.role === "user" ? [message.content] : []));
}

async function read(tail: FileTail): Promise<unknown[] | undefined> {
  const added = await tail.read();
  return added && [texts(added.final), texts(added.pending)];
}

const all = { isWanted: () => true, last: 100 };

test("lines are read as they are appended, also in pieces", async () => {
  const file = path();
  writeFileSync(file, line("one") + line("two"));
  const tail = tailFile(file, await load("openclaw"), all);
  expect(await read(tail)).toEqual([["one"], ["two"]]);
  expect(await read(tail)).toBeUndefined();
  const third = line("three");
  appendFileSync(file, third.slice(0, 20));
  expect(await read(tail)).toEqual([[], ["two"]]);
  appendFileSync(file, third.slice(20) + line("four"));
  expect(await read(tail)).toEqual([["two", "three"], ["four"]]);
});

test("only the wanted end of a long file is kept", async () => {
  const file = path();
  writeFileSync(file, Array.from({ length: 50 }, (_, index) => line(`${index}`)).join(""));
  const isWanted = (message: AgentMessage) => message.role === "user" && Number(message.content) % 2 === 0;
  const added = await tailFile(file, await load("openclaw"), { isWanted, last: 2 }).read();
  expect(texts(added?.final ?? []).slice(-2)).toEqual(["46", "48"]);
  expect(added?.final.length).toBeLessThanOrEqual(4);
});

test("a file of lines that was replaced is followed from its new end", async () => {
  const file = path();
  writeFileSync(file, line("one"));
  const tail = tailFile(file, await load("openclaw"), all);
  await tail.read();
  writeFileSync(`${file}.new`, line("other") + line("another"));
  renameSync(`${file}.new`, file);
  expect(await read(tail)).toBeUndefined();
  appendFileSync(file, line("last") + line("open"));
  expect(await read(tail)).toEqual([["another", "last"], ["open"]]);
});

test("a document is read whole after each change, and a torn one after the next", async () => {
  const file = path();
  writeFileSync(file, document("one"));
  const tail = tailFile(file, await load("cline"), all);
  expect(await read(tail)).toEqual([[], ["one"]]);
  expect(await read(tail)).toBeUndefined();
  writeFileSync(file, document("one", "two").slice(0, 40));
  expect(await read(tail)).toBeUndefined();
  writeFileSync(file, document("one", "two"));
  expect(await read(tail)).toEqual([[], ["one", "two"]]);
});
