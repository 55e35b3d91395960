import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { modelServer } from "../../test/fakes/model-server.js";
import { says } from "../../test/fakes/scripted-model.js";
import { user } from "../../test/fakes/watching.js";
import type { LossRecord } from "../core/message/notes.js";
import { noteOf } from "../core/message/notes.js";
import type { Loss, UserMessage } from "../core/types.js";
import { MemoryLog } from "../log/memory/memory-log.js";
import type { Conversation } from "./conversation.js";
import { History } from "./history.js";
import { LossLedger } from "./losses.js";
import { Runtime } from "./runtime.js";
import type { ConversationEvent } from "./types.js";

const server = modelServer();
const open: Runtime[] = [];
let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "dragoman-losses-"));
});

afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close();
  await rm(home, { recursive: true, force: true });
});

function runtime(): Runtime {
  const made = new Runtime({
    home,
    config: {
      model: "anthropic/claude-opus-4-6",
      providers: { anthropic: { apiKey: "k", baseUrl: server.url } },
      agents: { main: { tools: [] } },
    },
  });
  open.push(made);
  return made;
}

const voice: UserMessage = {
  role: "user",
  content: [
    { type: "text", text: "Listen:" },
    { type: "audio", data: "AAAA", mimeType: "audio/ogg" },
  ],
  timestamp: 1,
};

const AUDIO: Loss = {
  at: "/messages/1/content/1",
  what: "audio",
  why: "this API does not accept it; a text is sent in its place",
  severity: "dropped",
};

async function recorded(conversation: Conversation): Promise<LossRecord[]> {
  const notes = (await conversation.messages()).map(noteOf);
  return notes.flatMap((note) => (note?.type === "dragoman/losses" ? note.data : []));
}

test("what a request does not carry is noted once, after the answer, and no model is shown the note", async () => {
  const { refused } = server.serve("anthropic", [says("What is in it?"), says("I see."), says("Yes.")]);
  const conversation = await runtime().begin({ key: "agent:main:main" });
  const seen: ConversationEvent[] = [];
  conversation.watch((event) => seen.push(event));
  await conversation.send(voice);
  await conversation.idle();
  await conversation.send(user("Birds."));
  await conversation.idle();
  expect((await conversation.messages()).map(({ role }) => role)).toEqual([
    "session",
    "user",
    "assistant",
    "custom",
    "user",
    "assistant",
  ]);
  const record = { border: "request", target: "anthropic/claude-opus-4-6", losses: [AUDIO] };
  expect(await recorded(conversation)).toEqual([record]);
  expect(seen.filter(({ type }) => type === "losses")).toEqual([{ type: "losses", ...record }]);
  expect(refused).toEqual([]);
});

test("a session that is opened again knows the causes it has recorded", async () => {
  server.serve("anthropic", [says("What is in it?"), says("I see.")]);
  const first = runtime();
  const { session } = await first.begin({ key: "agent:main:main" });
  const begun = await first.open(session.id);
  await begun.send(voice);
  await begun.idle();
  await first.close();
  const again = await runtime().open(session.id);
  await again.send(voice);
  await again.idle();
  expect(await recorded(again)).toHaveLength(1);
});

test("every border and target has its own causes, and quoted names do not make a reason another one", async () => {
  const conversation = await runtime().begin({});
  const renamed = (id: string): Loss => ({
    at: "/messages/1",
    what: `the tool id "${id}"`,
    why: `this API does not accept it; "${id}_" is sent instead`,
    severity: "approximated",
  });
  await conversation.recordLosses("request", "a/m", [renamed("one"), renamed("two")]);
  await conversation.recordLosses("request", "a/m", [renamed("three")]);
  await conversation.recordLosses("request", "b/m", [renamed("four")]);
  await conversation.recordLosses("export", "b/m", [renamed("five")]);
  expect(await recorded(conversation)).toEqual([
    { border: "request", target: "a/m", losses: [renamed("one")] },
    { border: "request", target: "b/m", losses: [renamed("four")] },
    { border: "export", target: "b/m", losses: [renamed("five")] },
  ]);
});

test("of a view, the messages and the content that it lacks are recorded, and its small fields are not", async () => {
  const conversation = await runtime().begin({});
  const loss = (what: string, severity: Loss["severity"] = "dropped", of?: Loss["of"]): Loss => ({
    at: "/1",
    what,
    why: `why ${what}`,
    severity,
    ...(of === undefined ? {} : { of }),
  });
  const lacking = [
    loss("content.1 ({})", "dropped", "content"),
    loss("the status message", "dropped", "message"),
  ];
  await conversation.recordLosses("view", "cline", [
    loss("timestamp (5)"),
    loss("contentType"),
    loss('content ("Hi")', "approximated", "content"),
  ]);
  expect(await recorded(conversation)).toEqual([]);
  await conversation.recordLosses("view", "cline", lacking);
  expect(await recorded(conversation)).toEqual([{ border: "view", target: "cline", losses: lacking }]);
});

test("of what was made up, whole messages and results are recorded and neutral values are not", async () => {
  const conversation = await runtime().begin({});
  const loss = (what: string, of?: "message"): Loss => ({
    at: "",
    what,
    why: `why ${what}`,
    severity: "synthesised",
    ...(of === undefined ? {} : { of }),
  });
  await conversation.recordLosses("export", "cline", [loss("timestamp"), loss("usage.cost"), loss("ext")]);
  expect(await recorded(conversation)).toEqual([]);
  await conversation.recordLosses("request", "a/m", [loss('a result for the call "1"', "message")]);
  await conversation.recordLosses("request", "a/m", [loss("a user message before it", "message")]);
  await conversation.recordLosses("request", "a/m", [loss("an empty answer before it", "message")]);
  expect((await recorded(conversation)).map(({ losses }) => losses.map(({ what }) => what))).toEqual([
    ['a result for the call "1"'],
    ["a user message before it"],
    ["an empty answer before it"],
  ]);
});

test("losses recorded at the same time are stored once", async () => {
  const conversation = await runtime().begin({});
  await Promise.all([1, 2, 3].map(() => conversation.recordLosses("channel", "telegram", [AUDIO])));
  const path = join(home, "agents", "main", "sessions", `${conversation.session.id}.jsonl`);
  expect((await readFile(path, "utf8")).match(/dragoman\/losses/g)).toHaveLength(1);
});

test("a cause that another process has recorded meanwhile is not recorded again", async () => {
  const [one, other] = [await runtime().begin({ key: "agent:main:main" }), runtime()];
  const second = await other.open(one.session.id);
  await second.messages();
  await one.recordLosses("channel", "telegram", [AUDIO]);
  await second.recordLosses("channel", "telegram", [AUDIO]);
  expect(await recorded(second)).toEqual([{ border: "channel", target: "telegram", losses: [AUDIO] }]);
});

test("what the disk did not take is told to nobody as stored, and stored once the disk takes it", async () => {
  const session = await new MemoryLog().create({ agent: "main" });
  const append = session.append.bind(session);
  const history = new History(session, () => undefined);
  const [stored, failed]: [LossRecord[], unknown[]] = [[], []];
  let looks = 0;
  const ledger = new LossLedger({
    history: () => {
      looks++;
      return history;
    },
    onStored: (record) => void stored.push(record),
    onFailure: (error) => void failed.push(error),
  });
  const full = new Error("the disk is full");
  session.append = () => Promise.reject(full);
  ledger.add("channel", "telegram", [AUDIO]);
  await ledger.flush();
  ledger.add("channel", "telegram", [AUDIO]);
  await ledger.flush();
  expect([stored, failed]).toEqual([[], [full, full]]);
  session.append = append;
  await ledger.flush();
  const record = { border: "channel", target: "telegram", losses: [AUDIO] };
  expect(stored).toEqual([record]);
  expect((await history.read()).map(noteOf).filter((note) => note !== undefined)).toEqual([
    { type: "dragoman/losses", data: record },
  ]);
  expect(looks).toBe(3);
  await ledger.flush();
  expect(looks).toBe(3);
});
