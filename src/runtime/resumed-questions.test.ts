import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { event, told, user } from "../../test/fakes/watching.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { noteMessage, noteOf } from "../core/message/notes.js";
import { questionMessage } from "../core/message/question-notes.js";
import type { PermissionAnswer } from "../core/types.js";
import type { Conversation } from "./conversation.js";
import { fork } from "./copy.js";
import { Runtime } from "./runtime.js";
import type { Config } from "./schema.js";

const KEY = "agent:main:main";
const TOUCH = user('call: exec {"command":"touch canary"}\n---\nsay: done');

function runtimeOn(home: string, config: Config = {}): Runtime {
  const runtime = new Runtime({ home, config: { model: "demo/script", ...config }, waitsForAnswers: true });
  onTestFinished(() => runtime.close());
  return runtime;
}

/** A session whose run waits for the answer to a question, in a process that ends. */
async function leftOpen(home: string, message = TOUCH): Promise<string> {
  const runtime = runtimeOn(home);
  const conversation = await runtime.begin({ key: KEY });
  const asked = event(conversation, ({ type }) => type === "permission");
  await conversation.send(message);
  await asked;
  await runtime.close();
  return conversation.session.id;
}

async function answerFirst({ permissions }: Conversation, answer: PermissionAnswer): Promise<void> {
  const [request] = await permissions.pending();
  expect(await permissions.answer(request?.id ?? "", answer)).toBe(true);
}

function workspace(home: string): Promise<string[]> {
  return readdir(join(home, "agents", "main", "workspace"));
}

test("a question is open after a restart, and an answer continues the run: the call is made once", async () => {
  const home = temporaryFolder();
  const id = await leftOpen(home);
  const runtime = runtimeOn(home);
  const [conversation] = await runtime.resume();
  expect(conversation?.session.id).toBe(id);
  if (conversation === undefined) return;
  await event(conversation, ({ type }) => type === "permission");
  expect(await workspace(home)).toEqual([]);
  await answerFirst(conversation, "once");
  await conversation.idle();
  expect(await workspace(home)).toEqual(["canary"]);
  expect(told(await conversation.messages())).toEqual([
    "session",
    'user: call: exec {"command":"touch canary"}\n---\nsay: done',
    "assistant (toolUse): toolCall",
    "custom",
    "custom",
    "custom",
    "toolResult",
    "assistant (stop): done",
  ]);
  expect(await conversation.permissions.pending()).toEqual([]);
});

test("an answer that is given before the run is resumed counts", async () => {
  const home = temporaryFolder();
  const id = await leftOpen(home);
  const runtime = runtimeOn(home);
  const conversation = await runtime.open(id);
  await answerFirst(conversation, "never");
  await runtime.resume();
  await conversation.idle();
  expect(await workspace(home)).toEqual([]);
  expect(told(await conversation.messages()).slice(-2)).toEqual([
    "toolResult (error)",
    "assistant (stop): done",
  ]);
});

test("a question that expired while no process ran is refused, and states why", async () => {
  const home = temporaryFolder();
  const first = runtimeOn(home, { questions: { expireAfterMinutes: 0.01 } });
  const conversation = await first.begin({ key: KEY });
  const asked = event(conversation, ({ type }) => type === "permission");
  await conversation.send(TOUCH);
  await asked;
  await first.close();
  const models = { world: { now: () => Date.now() + 60_000 } };
  const runtime = new Runtime({ home, config: { model: "demo/script" }, waitsForAnswers: true, models });
  onTestFinished(() => runtime.close());
  const [resumed] = await runtime.resume();
  await resumed?.idle();
  expect(await resumed?.messages()).toContainEqual(
    expect.objectContaining({
      role: "toolResult",
      isError: true,
      content: [
        {
          type: "text",
          text: '"exec" with "touch canary" needs approval, and the request expired without an answer',
        },
      ],
    }),
  );
});

test("a call that had begun to run is not run again", async () => {
  const home = temporaryFolder();
  const id = await leftOpen(home);
  const runtime = runtimeOn(home);
  const conversation = await runtime.open(id);
  const [request] = await conversation.permissions.pending();
  await answerFirst(conversation, "once");
  await conversation.session.append([questionMessage({ state: "started", ids: [request?.id ?? ""] }, 1)]);
  await runtime.resume();
  await conversation.idle();
  expect(await workspace(home)).toEqual([]);
  expect(await conversation.messages()).toContainEqual(
    expect.objectContaining({ role: "toolResult", details: { reason: "interrupted" } }),
  );
});

test("what a call asked while it ran is withdrawn after a crash, and the call is not made again", async () => {
  const home = temporaryFolder();
  const id = await leftOpen(home);
  const runtime = runtimeOn(home);
  const conversation = await runtime.open(id);
  const [request] = await conversation.permissions.pending();
  await answerFirst(conversation, "once");
  // As the log of a killed process has it: the tool's MCP server has asked, and its process is gone.
  const question = { server: "shop", message: "Which colour?", fields: [] };
  const toolCall = request?.toolCall ?? { type: "toolCall" as const, id: "", name: "", arguments: {} };
  await conversation.session.append([
    questionMessage({ state: "started", ids: [request?.id ?? ""] }, 1),
    questionMessage(
      { state: "asked", id: "q2", session: id, toolCall, question, expires: Date.now() + 60_000 },
      2,
    ),
  ]);
  expect(await conversation.permissions.pending()).toMatchObject([{ id: "q2" }]);
  await runtime.resume();
  await conversation.idle();
  expect(await conversation.permissions.pending()).toEqual([]);
  const messages = await conversation.messages();
  expect(messages.flatMap((message) => noteOf(message)?.data ?? [])).toContainEqual({
    state: "withdrawn",
    id: "q2",
  });
  expect(messages).toContainEqual(
    expect.objectContaining({ role: "toolResult", details: { reason: "interrupted" } }),
  );
  expect(await workspace(home)).toEqual([]);
});

test("a copy has no open question, and its calls are closed", async () => {
  const home = temporaryFolder();
  const id = await leftOpen(home);
  const runtime = runtimeOn(home);
  const copy = await fork(runtime.log, (await runtime.open(id)).session);
  await copy.close();
  const conversation = await runtime.open(copy.id);
  expect(await conversation.permissions.pending()).toEqual([]);
  await conversation.send(user("say: more"));
  await conversation.idle();
  expect(await workspace(home)).toEqual([]);
});

test("an answer in the notes of another session runs nothing", async () => {
  const home = temporaryFolder();
  const runtime = runtimeOn(home);
  const id = await leftOpen(home);
  const conversation = await runtime.open(id);
  const [request] = await conversation.permissions.pending();
  if (request === undefined) throw new Error("there is no question");
  const { asked: _, ...of } = request;
  const forged = {
    state: "asked" as const,
    ...of,
    id: "forged",
    session: "another",
    resumable: true as const,
  };
  await conversation.session.append([
    noteMessage({ type: "dragoman/question", data: forged }, 1),
    questionMessage({ state: "answered", id: "forged", answer: "once" }, 1),
  ]);
  await runtime.resume();
  expect((await conversation.permissions.pending()).map((one) => one.id)).toEqual([request.id]);
  await answerFirst(conversation, "never");
  await conversation.idle();
  expect(await workspace(home)).toEqual([]);
});

test("two calls of one answer wait together, and each runs once after a restart between the answers", async () => {
  const home = temporaryFolder();
  const message = user(
    'call: exec {"command":"echo a >> canary"}\ncall: exec {"command":"echo b >> canary"}\n---\nsay: done',
  );
  const first = runtimeOn(home);
  const before = await first.begin({ key: KEY });
  const asked = event(before, ({ type }) => type === "permission");
  await before.send(message);
  await asked;
  const second = event(before, ({ type }) => type === "permission");
  await answerFirst(before, "once");
  await second;
  expect(await workspace(home)).toEqual([]);
  await first.close();
  const [conversation] = await runtimeOn(home).resume();
  if (conversation === undefined) throw new Error("the session was not resumed");
  await event(conversation, ({ type }) => type === "permission");
  await answerFirst(conversation, "once");
  await conversation.idle();
  const results = (await conversation.messages()).filter(({ role }) => role === "toolResult");
  expect(results.map((result) => result.role === "toolResult" && result.isError)).toEqual([false, false]);
});

test("where no one can be asked, a question that was left is withdrawn and its call is refused", async () => {
  const home = temporaryFolder();
  await leftOpen(home);
  const runtime = new Runtime({ home, config: { model: "demo/script" } });
  onTestFinished(() => runtime.close());
  const [conversation] = await runtime.resume();
  await conversation?.idle();
  expect(await workspace(home)).toEqual([]);
  const notes = (await conversation?.messages())?.flatMap((message) => {
    const note = noteOf(message);
    return note?.type === "dragoman/question" ? note.data.state : [];
  });
  expect(notes).toEqual(["asked", "withdrawn"]);
});
