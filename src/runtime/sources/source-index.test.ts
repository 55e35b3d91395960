import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Catalogue, SessionSource } from "../../log/catalogue/types.js";
import { openSessions } from "../sessions.js";
import { openSource } from "./source.js";

const FIRST = "0f0d2f4e-1111-4222-8333-444455556666";
const SECOND = "1f0d2f4e-1111-4222-8333-444455556666";

let root: string;
let catalogue: Catalogue;
/** The files that were read, in order. */
let reads: string[];
let source: SessionSource;

beforeEach(async () => {
  root = temporaryFolder();
  mkdirSync(join(root, "slug"));
  ({ catalogue } = await openSessions(temporaryFolder()));
  reads = [];
  const opened = openSource({
    name: "claude-code",
    dialect: "claude-code",
    roots: [root],
    files: ["*/{uuid}.jsonl"],
    onNote: (text) => expect.fail(text),
  });
  source = {
    ...opened,
    readForeign: (path, onBadLine) => {
      reads.push(path);
      return opened.readForeign(path, onBadLine);
    },
  };
});

afterEach(() => catalogue.close());

function pathOf(id: string): string {
  return join(root, "slug", `${id}.jsonl`);
}

function line(id: string, uuid: string, parentUuid: string | null, minute: string, more: object): string {
  const frame = { parentUuid, isSidechain: false, userType: "external", cwd: "/home/ann/app", sessionId: id };
  const rest = { version: "2.1.325", uuid, timestamp: `2026-01-15T09:${minute}:00.000Z` };
  return `${JSON.stringify({ ...frame, ...rest, ...more })}\n`;
}

function prompt(id: string, text: string): string {
  return line(id, "u1", null, "30", { type: "user", message: { role: "user", content: text } });
}

function answer(id: string, text: string, minute = "31", uuid = "a1"): string {
  const usage = { input_tokens: 1000, output_tokens: 100 };
  const message = {
    id: `msg_${uuid}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage,
  };
  return line(id, uuid, "u1", minute, { type: "assistant", message });
}

test("what the index keeps of another program's session", async () => {
  writeFileSync(pathOf(FIRST), prompt(FIRST, "Fix the flaky test") + answer(FIRST, "Done."));
  expect(await catalogue.update({ source })).toEqual({ sessions: 1, changed: 1, removed: 0 });
  expect(await catalogue.list({ sources: ["claude-code"] })).toEqual([
    {
      id: FIRST,
      source: "claude-code",
      agent: "main",
      path: pathOf(FIRST),
      foreign: true,
      title: "Fix the flaky test",
      folder: "/home/ann/app",
      created: Date.parse("2026-01-15T09:30:00Z"),
      active: Date.parse("2026-01-15T09:31:00Z"),
      counts: { user: 1, assistant: 1, toolResult: 0, lines: 3, bad: 0 },
      badLines: [],
      usage: {
        input: 1000,
        output: 100,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 1100,
        cost: { input: 0.003, output: 0.0015, cacheRead: 0, cacheWrite: 0, total: 0.0045 },
      },
      unknownPrices: false,
      models: ["anthropic/claude-sonnet-4-5"],
      archived: false,
    },
  ]);
  const { hits } = await catalogue.search("flaky", { sources: "all" });
  expect(hits.map(({ session, source: from }) => [session, from])).toEqual([[FIRST, "claude-code"]]);
});

test("the home's own queries do not include other programs", async () => {
  writeFileSync(pathOf(FIRST), prompt(FIRST, "Fix the flaky test"));
  await catalogue.update({ source });
  await catalogue.update();
  expect(await catalogue.list()).toEqual([]);
  expect((await catalogue.search("flaky")).hits).toEqual([]);
  expect(await catalogue.get(FIRST)).toBeUndefined();
  expect((await catalogue.stats()).sessions).toBe(0);
  expect(await catalogue.spending()).toEqual([]);
  expect((await catalogue.list({ sources: "all" })).map(({ id }) => id)).toEqual([FIRST]);
});

test("only files whose size or time changed are read again", async () => {
  writeFileSync(pathOf(FIRST), prompt(FIRST, "One"));
  writeFileSync(pathOf(SECOND), prompt(SECOND, "Two"));
  await catalogue.update({ source });
  expect(reads).toEqual([pathOf(FIRST), pathOf(SECOND)]);
  expect(await catalogue.update({ source })).toEqual({ sessions: 2, changed: 0, removed: 0 });
  expect(reads).toHaveLength(2);
  appendFileSync(pathOf(SECOND), answer(SECOND, "More"));
  await catalogue.update({ source });
  expect(reads.slice(2)).toEqual([pathOf(SECOND)]);
  const touched = new Date("2026-02-01T00:00:00Z");
  utimesSync(pathOf(FIRST), touched, touched);
  await catalogue.update({ source });
  expect(reads.slice(3)).toEqual([pathOf(FIRST)]);
  const [second] = (await catalogue.list({ sources: "all" })).filter(({ id }) => id === SECOND);
  expect(second?.counts).toEqual({ user: 1, assistant: 1, toolResult: 0, lines: 3, bad: 0 });
});

test("one file can be indexed alone, and a file that is gone is removed", async () => {
  writeFileSync(pathOf(FIRST), prompt(FIRST, "One"));
  for await (const file of source.sessions()) {
    await catalogue.updateFile(source, file);
    expect((await catalogue.updateFile(source, file))?.path).toBe(pathOf(FIRST));
  }
  expect(reads).toEqual([pathOf(FIRST)]);
  expect((await catalogue.get("0f0d", { sources: ["claude-code"] }))?.title).toBe("One");
  const none: SessionSource = { ...source, sessions: async function* () {} };
  expect(await catalogue.update({ source: none })).toEqual({ sessions: 0, changed: 0, removed: 1 });
  expect(await catalogue.list({ sources: "all" })).toEqual([]);
});

test("a damaged line is counted with its reason, and the rest is read", async () => {
  writeFileSync(pathOf(FIRST), `${prompt(FIRST, "One")}{"cut\n${answer(FIRST, "Two")}`);
  await catalogue.update({ source });
  const [session] = await catalogue.list({ sources: "all" });
  expect(session).toMatchObject({ counts: { user: 1, assistant: 1, bad: 1 }, badLines: [2] });
  expect(session?.problem).toMatch(/^line 2: /);
});

test("spending is kept by day and model, and summed over updates", async () => {
  writeFileSync(pathOf(FIRST), prompt(FIRST, "One") + answer(FIRST, "a") + answer(FIRST, "b", "32", "a2"));
  await catalogue.update({ source });
  const spent = await catalogue.spending({ sources: "all" });
  expect(spent).toEqual([
    {
      session: FIRST,
      source: "claude-code",
      folder: "/home/ann/app",
      day: "2026-01-15",
      model: "anthropic/claude-sonnet-4-5",
      answers: 2,
      usage: {
        input: 2000,
        output: 200,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 2200,
        cost: { input: 0.006, output: 0.003, cacheRead: 0, cacheWrite: 0, total: 0.009 },
      },
      unknownPrices: false,
    },
  ]);
});

test("a sub-agent's messages count once, and are read again when they grow", async () => {
  const side = (text: string, uuid: string) =>
    answer(FIRST, text, "33", uuid).replace('"isSidechain":false', '"isSidechain":true');
  writeFileSync(pathOf(FIRST), prompt(FIRST, "One") + answer(FIRST, "a"));
  const folder = join(root, "slug", FIRST, "subagents");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "agent-7.jsonl"), side("needle", "s1"));
  await catalogue.update({ source });
  const [session] = await catalogue.list({ sources: "all" });
  expect(session).toMatchObject({ counts: { user: 1, assistant: 2 }, usage: { totalTokens: 2200 } });
  expect((await catalogue.search("needle", { sources: "all" })).hits).toHaveLength(1);
  appendFileSync(join(folder, "agent-7.jsonl"), side("more", "s2"));
  expect(await catalogue.update({ source })).toEqual({ sessions: 1, changed: 1, removed: 0 });
  expect((await catalogue.list({ sources: "all" }))[0]?.counts.assistant).toBe(3);
});

test("a title is the user's own text, not the context that programs add in tags", async () => {
  const context = '<environment_context cwd="/x">\nlinux\n</environment_context>';
  const second = line(FIRST, "u2", "u1", "31", {
    type: "user",
    message: { role: "user", content: `${context}<note>n</note>\nPaint the <b>hull</b>` },
  });
  writeFileSync(pathOf(FIRST), prompt(FIRST, context));
  await catalogue.update({ source });
  expect((await catalogue.list({ sources: "all" }))[0]?.title).toBe(
    '<environment_context cwd="/x"> linux </environment_context>',
  );
  appendFileSync(pathOf(FIRST), second);
  await catalogue.update({ source });
  expect((await catalogue.list({ sources: "all" }))[0]?.title).toBe("Paint the <b>hull</b>");
});
