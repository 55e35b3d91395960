import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import type { AgentMessage } from "../../core/types.js";
import type { Position, SessionLog } from "../types.js";
import { openHome } from "./home.js";

const path = folderForEachTest();
const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });
const sessionFile = ({ id }: SessionLog) => path("agents", "main", "sessions", `${id}.jsonl`);

async function texts(session: SessionLog, from: Position = 0): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const { message } of session.read({ from })) {
    list.push(message.role === "user" ? message.content : message.role);
  }
  return list;
}

/** How often a file is read from here on. */
async function countReads(): Promise<() => number> {
  const any = await open(path(), "r");
  const handles: FileHandle = Object.getPrototypeOf(any);
  await any.close();
  const read = vi.spyOn(handles, "read");
  onTestFinished(() => void vi.restoreAllMocks());
  return () => read.mock.calls.length;
}

test("what this process has appended last is not read from the file", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  const reads = await countReads();
  expect(await texts(session)).toEqual(["session"]);
  const { position } = await session.append([user("one"), user("two")]);
  expect(await texts(session, position)).toEqual(["one", "two"]);
  expect((await session.last(1)).map(({ message }) => message)).toMatchObject([{ content: "two" }]);
  expect(await texts(session, await session.end())).toEqual([]);
  expect(reads()).toBe(0);
  await session.close();
});

test("what another program has appended is read", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  const { position, next } = await session.append([user("one")]);
  appendFileSync(sessionFile(session), '{"role":"user","content":"two","timestamp":1}\n');
  expect(await texts(session, position)).toEqual(["one", "two"]);
  expect(await texts(session, next)).toEqual(["two"]);
  expect((await session.last(1)).map(({ message }) => message)).toMatchObject([{ content: "two" }]);
  await session.append([user("three")]);
  expect(await texts(session)).toEqual(["session", "one", "two", "three"]);
  await session.close();
});

test("a position that is not one of the session's is refused, also near its end", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  const { next } = await session.append([user("one")]);
  await expect(texts(session, next - 1)).rejects.toMatchObject({ code: "log/bad-position" });
  await expect(texts(session, next + 1)).rejects.toMatchObject({ code: "log/bad-position" });
  await session.close();
});

test("a file of the same size in its place is read", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  const { position } = await session.append([{ ...user("one"), id: "01AAAAAAAAAAAAAAAAAAAAAAAA" }]);
  const file = sessionFile(session);
  const [header = "", line = ""] = readFileSync(file, "utf8").split("\n");
  writeFileSync(path("other"), `${header}\n${line.replace("one", "two")}\n`);
  renameSync(path("other"), file);
  expect(await texts(session, position)).toEqual(["two"]);
  await session.close();
});

test("a long session keeps only its last lines in memory", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  const { position: first } = await session.append([user("first")]);
  await session.append(Array.from({ length: 16 }, () => user("x".repeat(4096))));
  const reads = await countReads();
  expect(await texts(session, first)).toHaveLength(17);
  expect(reads()).toBeGreaterThan(0);
  await session.close();
});
