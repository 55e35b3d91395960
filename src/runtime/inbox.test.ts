import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { event, told, user } from "../../test/fakes/watching.js";
import { folderForEachTest } from "../../test/temporary-folder.js";
import { newId } from "../core/ids.js";
import { noteMessage } from "../core/notes.js";
import { Runtime } from "./runtime.js";

const inHome = folderForEachTest();
const open: Runtime[] = [];

afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close();
});

function runtimeOn(model: string): Runtime {
  const runtime = new Runtime({ home: inHome(), config: { model } });
  open.push(runtime);
  return runtime;
}

/** What lies in a folder of the home, if there is one. */
async function names(folder: string): Promise<string[]> {
  return existsSync(inHome(folder)) ? readdir(inHome(folder)) : [];
}

test("a session that another process runs takes messages, and answers them when it is free", async () => {
  const runtime = runtimeOn("demo/echo");
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const other = await runtime.log.lease(conversation.session.id);
  await conversation.send(user("patience"));
  expect(told(await conversation.messages())).toEqual(["session", "custom"]);
  await other?.release();
  await conversation.idle();
  expect(told(await conversation.messages())).toEqual([
    "session",
    "custom",
    "user: patience",
    "assistant (stop): patience",
  ]);
});

test("what is sent twice with one key is answered once, also by a process that comes later", async () => {
  const first = await runtimeOn("demo/echo").begin({ key: "agent:main:main" });
  const [one, two] = await Promise.all([first.sendOnce("k1", user("hi")), first.sendOnce("k1", user("hi"))]);
  await first.idle();
  expect(two).toEqual(one);
  const later = await runtimeOn("demo/echo").begin({ key: "agent:main:main" });
  const three = await later.sendOnce("k1", user("hi"));
  await later.idle();
  expect([three.message.id, three.runId]).toEqual([one.message.id, one.runId]);
  expect(told(await later.messages())).toEqual(["session", "user: hi", "assistant (stop): hi"]);
});

test("what two processes are sent at once with one key is answered once", async () => {
  const key = "agent:main:main";
  const [one, two] = [
    await runtimeOn("demo/echo").begin({ key }),
    await runtimeOn("demo/echo").begin({ key }),
  ];
  const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
  for (const text of texts) {
    const sent = await Promise.all([one.sendOnce(text, user(text)), two.sendOnce(text, user(text))]);
    await Promise.all([one.idle(), two.idle()]);
    const { message } = await one.sendOnce(text, user(text));
    expect(sent.map(({ message: { id } }) => id)).toContain(message.id);
  }
  const lines = told(await two.messages()).filter((line) => line !== "session" && line !== "custom");
  expect(lines).toEqual(texts.flatMap((text) => [`user: ${text}`, `assistant (stop): ${text}`]));
});

test("what a killed process has put into the log without a sign is answered when it is sent again", async () => {
  const runtime = runtimeOn("demo/echo");
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const other = await runtime.log.lease(conversation.session.id);
  const message = { ...user("hi"), id: newId(), ext: { sent: { idempotencyKey: "k1", runId: newId() } } };
  await conversation.session.append([noteMessage({ type: "dragoman/inbox", data: { message } }, 1)]);
  const [again, andAgain] = await Promise.all([
    conversation.sendOnce("k1", user("hi")),
    conversation.sendOnce("k1", user("hi")),
  ]);
  expect(await names("inboxes")).toEqual([conversation.session.id]);
  await other?.release();
  await conversation.idle();
  expect([again.message.id, andAgain.message.id]).toEqual([message.id, message.id]);
  expect(told(await conversation.messages())).toEqual([
    "session",
    "custom",
    "user: hi",
    "assistant (stop): hi",
  ]);
  expect([await names("inboxes"), await names("runs")]).toEqual([[], []]);
});

test("a message that comes just as a run ends is marked before its sender is told, so that a killed process leaves a sign", async () => {
  const conversation = await runtimeOn("demo/script").begin({ key: "agent:main:main" });
  const marked: string[][] = [];
  for (let round = 0; round < 20; round++) {
    const ended = event(conversation, ({ type }) => type === "run_end");
    await conversation.send(user("say: hello"));
    await ended;
    const begun = event(conversation, ({ type }) => type === "run_start");
    await conversation.send(user("stall"));
    marked.push([...new Set([...(await names("runs")), ...(await names("inboxes"))])]);
    await begun;
    conversation.abort();
    await conversation.idle();
  }
  expect(marked).toEqual(Array.from({ length: 20 }, () => [conversation.session.id]));
  expect(await names("runs")).toEqual([]);
});
