import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answer } from "../../test/fakes/scripted-model.js";
import { event, isText, told, user } from "../../test/fakes/watching.js";
import type { Conversation } from "./conversation.js";
import { RunRecorder } from "./run-recorder.js";
import { Runtime } from "./runtime.js";
import type { Config } from "./schema.js";

let home: string;
let notes: string[];
const open: Runtime[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "dragoman-runtime-"));
  notes = [];
});

afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close();
  await rm(home, { recursive: true, force: true });
});

function runtimeWith(config: Config = {}): Runtime {
  const runtime = new Runtime({
    home,
    config: { model: "demo/script", ...config },
    onNote: (note) => notes.push(note),
  });
  open.push(runtime);
  return runtime;
}

async function answered(runtime: Runtime): Promise<string[][]> {
  const transcripts: string[][] = [];
  for (const conversation of await runtime.resume()) {
    await conversation.idle();
    transcripts.push(told(await conversation.messages()));
  }
  return transcripts;
}

test("closed in mid-answer, what waits is not begun, and answered by the next process", async () => {
  const first = runtimeWith();
  const conversation = await first.begin({});
  const begun = event(conversation, isText);
  await conversation.send(user("say: half\nstall"));
  await begun;
  await conversation.send(user("stall"), "followup");
  await first.close();
  await expect(conversation.send(user("say: late"))).rejects.toMatchObject({ code: "log/closed" });
  expect(told(await conversation.messages())).toEqual([
    "session",
    "user: say: half\nstall",
    "custom",
    "assistant (aborted): half",
  ]);

  expect(await answered(runtimeWith({ model: "demo/echo" }))).toEqual([
    [
      "session",
      "user: say: half\nstall",
      "custom",
      "assistant (aborted): half",
      "user: stall",
      "assistant (stop): stall",
      // That the model was not shown the half answer.
      "custom",
    ],
  ]);
  expect([await readdir(join(home, "runs")), await readdir(join(home, "inboxes"))]).toEqual([[], []]);
});

test("closed before anything was said, the message is answered by the next process", async () => {
  const first = runtimeWith();
  const conversation = await first.begin({});
  await conversation.send(user("stall"));
  await first.close();
  expect(await answered(runtimeWith({ model: "demo/echo" }))).toEqual([
    ["session", "user: stall", "assistant (aborted): ", "assistant (stop): stall"],
  ]);
});

test("a message that was accepted while another process ran the session outlives the one that took it", async () => {
  const first = runtimeWith();
  const conversation = await first.begin({});
  const other = await first.log.lease(conversation.session.id);
  await conversation.send(user("say: hello"));
  await first.close();
  await other?.release();
  expect(await answered(runtimeWith())).toEqual([
    ["session", "custom", "user: say: hello", "assistant (stop): hello"],
  ]);
});

test("a session that is gone is told, and the others are resumed", async () => {
  const first = runtimeWith();
  const conversation = await first.begin({});
  await conversation.send(user("stall"));
  await first.close();
  await writeFile(join(home, "runs", "01GONE"), "");
  expect(await answered(runtimeWith({ model: "demo/echo" }))).toHaveLength(1);
  expect(notes).toEqual(['session 01GONE: there is no session "01GONE"']);
  expect(await readdir(join(home, "runs"))).toEqual([]);
});

test("half an answer is kept also when somebody appended to the session before its process was killed", async () => {
  const first = runtimeWith();
  const conversation = await first.begin({});
  const { messages } = await conversation.session.append([user("hi")]);
  const lease = await first.log.lease(conversation.session.id);
  if (lease === undefined) throw new Error("the session is leased already");
  const mark = new RunRecorder(first.store.mark(conversation.session.id, lease), () => messages[0]?.id);
  await mark.open();
  mark.beginAnswer(answer([]));
  await mark.push({ type: "text_start", contentIndex: 0 });
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "Hel" });
  await mark.close();
  await lease.release();
  await conversation.session.append([
    { role: "compaction", summary: "somebody said hi", timestamp: 1_740_000_000_001 },
  ]);
  expect(await answered(runtimeWith())).toEqual([
    ["session", "user: hi", "compaction", "assistant (error): Hel"],
  ]);
});

test("somebody who watches and fails is told of, and stops nobody", async () => {
  const conversation = await runtimeWith().begin({});
  conversation.watch(({ type }) => {
    if (type === "run_start") throw new Error("the socket is gone");
  });
  const ended = event(conversation, ({ type }) => type === "run_end");
  await conversation.send(user("say: hello"));
  expect(await ended).toMatchObject({ outcome: "done" });
  expect(notes).toEqual([`session ${conversation.session.id}: the socket is gone`]);
});

test("a view that cannot be written is told of, and the run ends as it would", async () => {
  const conversation = await runtimeWith({ views: ["cline"] }).begin({});
  const { id } = conversation.session;
  await mkdir(join(home, "views", "cline", "data", "sessions", id, `${id}.messages.json`), {
    recursive: true,
  });
  const ended = event(conversation, ({ type }) => type === "run_end");
  await conversation.send(user("say: hello"));
  expect(await ended).toMatchObject({ outcome: "done" });
  expect(notes).toEqual([expect.stringContaining("EISDIR")]);
});

test("a run that has used up its turns ends in an error", async () => {
  const conversation = await runtimeWith({ agents: { main: { maxTurns: 1 } } }).begin({});
  const ended = event(conversation, ({ type }) => type === "run_end");
  await conversation.send(user('call: read {"file_path":"."}\n---\nsay: done'));
  expect(await ended).toMatchObject({ outcome: "error", error: "the run was stopped after 1 turns" });
});

test("of many conversations the histories of the latest stay in memory, and nobody notices", async () => {
  const runtime = runtimeWith();
  const conversations: Conversation[] = [];
  for (let count = 0; count < 33; count++) conversations.push(await runtime.begin({}));
  const [first, second] = conversations;
  const read = await Promise.all(conversations.map((conversation) => conversation.messages()));
  // The list of a conversation that is awake is the same one, and grows.
  expect(await second?.messages()).toBe(read[1]);
  expect(await first?.messages()).not.toBe(read[0]);
  await first?.send(user("say: hello"));
  await first?.idle();
  expect(told((await first?.messages()) ?? [])).toEqual([
    "session",
    "user: say: hello",
    "assistant (stop): hello",
  ]);
});

test("the task of a helper whose process was killed is not gone on with: nobody waits for it", async () => {
  const first = runtimeWith();
  const parent = { session: "01PARENT", toolCallId: "call_1" };
  const { session } = await first.begin({ parent });
  await session.append([{ ...user("look around"), sender: "01PARENT" }]);
  await mkdir(join(home, "runs"));
  await writeFile(join(home, "runs", session.id), "");
  await first.close();
  expect(await answered(runtimeWith())).toEqual([["session", "user: look around"]]);
  expect(await readdir(join(home, "runs"))).toEqual([]);

  const helper = await runtimeWith().open(session.id);
  await helper.send(user("say: still here"));
  await helper.idle();
  expect(told(await helper.messages()).at(-1)).toBe("assistant (stop): still here");
});
