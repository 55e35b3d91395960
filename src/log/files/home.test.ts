import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import type { AgentMessage } from "../../core/types.js";
import { Locks } from "../locks/lock.js";
import type { BadLine, SessionFile } from "../types.js";
import { HomeLog, openHome } from "./home.js";

const path = folderForEachTest();
const key = "agent:main:telegram:dm:7";
const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });
const sessionFile = (id: string) => path("agents", "main", "sessions", `${id}.jsonl`);

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function listed(): Promise<SessionFile[]> {
  const files: SessionFile[] = [];
  for await (const file of openHome(path()).list()) files.push(file);
  return files;
}

test("a home is folders of agents, files of lines, and one small file for each key", async () => {
  const session = await openHome(path()).openOrCreate({ agent: "main", key });
  await session.append([{ ...user("Hello"), id: "m1" }]);
  await session.close();
  expect(readdirSync(path("agents", "main")).sort()).toEqual(["keys", "sessions"]);
  expect(readdirSync(path("agents", "main", "sessions"))).toEqual([`${session.id}.jsonl`]);
  expect(readFileSync(path("agents", "main", "keys", "agent.main.telegram.dm.7"), "utf8")).toBe(
    `${session.id}\n`,
  );
  expect(readFileSync(sessionFile(session.id), "utf8")).toBe(
    `{"role":"session","id":"${session.id}","agent":"main","key":"agent:main:telegram:dm:7",` +
      `"timestamp":${session.header.timestamp}}\n` +
      '{"role":"user","content":"Hello","timestamp":1,"id":"m1"}\n',
  );
  expect(readdirSync(path("locks")).filter((name) => !name.startsWith("process-"))).toEqual([]);
  expect(statSync(sessionFile(session.id)).mode & 0o777).toBe(0o600);
});

test("keys that were deleted are found again in the sessions; the newest one counts", async () => {
  const log = openHome(path());
  const old = await log.create({ agent: "main", key });
  const other = await log.create({ agent: "main", key: "agent:main:main" });
  const newer = await log.create({ agent: "main", key });
  rmSync(path("agents", "main", "keys"), { recursive: true });
  expect(await log.find(key)).toBe(newer.id);
  expect(await log.find("agent:main:main")).toBe(other.id);
  expect(readdirSync(path("agents", "main")).sort()).toEqual(["keys", "sessions"]);
  rmSync(path("agents", "main", "keys"), { recursive: true });
  const third = await log.create({ agent: "main", key: "agent:main:third" });
  expect(await log.find("agent:main:main")).toBe(other.id);
  for (const session of [old, other, newer, third]) await session.close();
});

test("a key whose session was deleted stands for the one before, or for none", async () => {
  const log = openHome(path());
  const old = await log.create({ agent: "main", key });
  const newer = await log.create({ agent: "main", key });
  rmSync(sessionFile(newer.id));
  expect(await log.find(key)).toBe(old.id);
  rmSync(sessionFile(old.id));
  expect(await log.find(key)).toBeUndefined();
  const fresh = await log.openOrCreate({ agent: "main", key });
  expect(await log.find(key)).toBe(fresh.id);
  put(path("agents", "main", "keys", "agent.main.telegram.dm.7"), "../../../etc/passwd\n");
  expect(await log.find(key)).toBe(fresh.id);
  for (const session of [old, newer, fresh]) await session.close();
});

test.each([
  ["an OpenClaw session", '{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00.000Z"}\n'],
  ["turns", '{"role":"user","content":[{"type":"text","text":"Hi"}],"timestamp":1}\n'],
  ["nothing", ""],
  ["a first line without an end", '{"role":"session","agent":"main","timestamp":1}'],
  ["no JSON", "what\n"],
  ["one very long line", "x".repeat(2_000_000)],
])("%s is foreign: listed, and never changed", async (_, text) => {
  put(sessionFile("theirs"), text);
  expect(await listed()).toEqual([
    {
      id: "theirs",
      agent: "main",
      path: sessionFile("theirs"),
      foreign: true,
      size: text.length,
      modified: statSync(sessionFile("theirs")).mtimeMs,
    },
  ]);
  await expect(openHome(path()).open("theirs")).rejects.toMatchObject({ code: "log/foreign" });
  expect(readFileSync(sessionFile("theirs"), "utf8")).toBe(text);
  expect(readdirSync(path())).toEqual(["agents"]);
});

test("a first line may be long", async () => {
  const log = openHome(path());
  const title = "ä".repeat(30_000);
  const session = await log.create({ agent: "main", title });
  await session.close();
  const again = await log.open(session.id);
  expect(again.header.title).toBe(title);
  await again.close();
});

test("a home that is not there has no sessions", async () => {
  const log = openHome(path("nowhere"));
  expect(await log.find(key)).toBeUndefined();
  await expect(log.open("x")).rejects.toMatchObject({ code: "log/no-session" });
  expect(readdirSync(path())).toEqual([]);
});

test("what is no session file is not listed", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  put(path("agents", "main", "sessions", "~01JZZZZZZZZZZZZZZZZZZZZZZZ"), "{");
  put(path("agents", "main", "sessions", "x.torn-1"), "{");
  put(path("agents", "main", "sessions", "folder.jsonl", "x"), "{");
  put(path("agents", "a file"), "");
  expect((await listed()).map(({ id }) => id)).toEqual([session.id]);
  await session.close();
});

test("bad lines are told with their number, stay where they are, and are passed over", async () => {
  const log = openHome(path());
  const session = await log.create({ agent: "main" });
  await session.append([user("a")]);
  await session.close();
  const file = sessionFile(session.id);
  appendFileSync(file, '{]\n{"role":"user"}\n\n');
  appendFileSync(file, Buffer.from([0xff, 0x0a]));
  const again = await log.open(session.id);
  await again.append([user("b")]);
  const bad: BadLine[] = [];
  const read: unknown[] = [];
  for await (const { message } of again.read({ onBadLine: (line) => bad.push(line) }))
    read.push(message.role);
  expect(read).toEqual(["session", "user", "user"]);
  expect(bad.map(({ problem: { code, line, column } }) => ({ code, line, column }))).toEqual([
    { code: "log/bad-line", line: 3, column: 2 },
    { code: "log/bad-line", line: 4, column: undefined },
    { code: "log/bad-line", line: 6, column: 1 },
  ]);
  const told: string[] = [];
  const last = await again.last(2, { onBadLine: ({ problem }) => told.push(problem.message) });
  expect(last.map(({ message }) => ("content" in message ? message.content : ""))).toEqual(["a", "b"]);
  expect(told).toHaveLength(3);
  expect(told[2]).toMatch(/^the line at byte \d+ is not a message: /);
  await again.close();
});

test("a copy of a session under another name is a session of its own", async () => {
  const log = openHome(path());
  const session = await log.create({ agent: "main" });
  cpSync(sessionFile(session.id), sessionFile("copy"));
  const copy = await log.open("copy");
  await copy.append([user("a")]);
  expect((await copy.last(1)).map(({ message }) => message.role)).toEqual(["user"]);
  expect((await session.last(1)).map(({ message }) => message.role)).toEqual(["session"]);
  await copy.close();
  await session.close();
});

test("a message of many blocks, read from both ends", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  const long = "x".repeat(3_000_000);
  await session.append([user("a"), user(long), user("b")]);
  const read: AgentMessage[] = [];
  for await (const { message } of session.read()) read.push(message);
  expect(read.slice(1)).toMatchObject([{ content: "a" }, { content: long }, { content: "b" }]);
  expect((await session.last(4)).map(({ message }) => message)).toEqual(read);
  await session.close();
});

test("a list does not open the files that are as they are known", async () => {
  const log = openHome(path());
  const made = [await log.create({ agent: "main" }), await log.create({ agent: "main" })];
  const before = [];
  for await (const file of log.list()) before.push(file);
  await made[1]?.append([{ role: "user", content: "more", timestamp: 1 }]);
  // What a caller says of a file that has not changed is believed; of one that has, it is read again.
  const known = new Map(before.map((file) => [file.path, { ...file, foreign: true }]));
  const after = [];
  for await (const { id, foreign } of log.list(known)) after.push({ id, foreign });
  expect(after).toEqual([
    { id: made[0]?.id, foreign: true },
    { id: made[1]?.id, foreign: false },
  ]);
  for (const session of made) await session.close();
});

test("a session that could not be filled leaves nothing behind", async () => {
  const log = openHome(path());
  const fill = async () => {
    throw new Error("no more of it");
  };
  await expect(log.create({ agent: "main", key }, fill)).rejects.toThrow("no more of it");
  expect(readdirSync(path("agents", "main", "sessions"))).toEqual([]);
  expect(await log.find(key)).toBeUndefined();
});

test("a session with a key becomes visible while nobody else can change what the key stands for", async () => {
  const locks = new Locks(path("locks"));
  const seen: string[] = [];
  const note = (what: string) => {
    const files = readdirSync(path("agents", "main", "sessions")).filter((name) => name.endsWith(".jsonl"));
    seen.push(`${what}: ${files.length}`);
  };
  const [take, release] = [locks.acquire.bind(locks), locks.release.bind(locks)];
  locks.acquire = async (name) => {
    await take(name);
    if (name.startsWith("key-")) note(`taken ${name}`);
  };
  locks.release = async (name) => {
    if (name.startsWith("key-")) note(`released ${name}`);
    await release(name);
  };
  await new HomeLog(path(), { locks }).create({ agent: "main", key });
  expect(seen).toEqual(["taken key-agent.main.telegram.dm.7: 0", "released key-agent.main.telegram.dm.7: 1"]);
});

test("a session can be created with an id that is a safe file name", async () => {
  const log = openHome(path());
  const session = await log.create({ agent: "main", id: "01M7HF4MX93629AFPDYQZP1000" });
  expect(session.id).toBe("01M7HF4MX93629AFPDYQZP1000");
  await session.close();
  expect((await log.open("01M7HF4MX93629AFPDYQZP1000")).header.agent).toBe("main");
  await expect(log.create({ agent: "main", id: "../outside" })).rejects.toMatchObject({
    code: "model/invalid",
    message: '"../outside" is not a session id',
  });
});
