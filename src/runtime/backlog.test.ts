import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { afterEach, expect, test, vi } from "vitest";
import { event, told, user } from "../../test/fakes/watching.js";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { newId } from "../core/ids.js";
import { noteMessage } from "../core/message/notes.js";
import { MemoryStore } from "../log/memory/memory-store.js";
import type { SessionLog } from "../log/types.js";
import { Backlog } from "./backlog.js";
import { History } from "./history.js";
import { Runtime } from "./runtime.js";
import type { ConversationEvent } from "./types.js";

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

test("two requests with one key while a run waits for a tool are one message of that run", async () => {
  const conversation = await runtimeOn("demo/script").begin({ key: "agent:main:main" });
  const asked = new Promise<string>((resolve) => {
    const see = (seen: ConversationEvent) => {
      if (seen.type === "permission") resolve(seen.request.id);
    };
    conversation.watch(see, { asks: true });
  });
  await conversation.send(user('call: exec {"command":"true"}\n---\nsay: done'));
  const question = await asked;
  const [one, two] = await Promise.all([
    conversation.sendOnce("k1", user("say: hello"), "steer"),
    conversation.sendOnce("k1", user("say: hello"), "steer"),
  ]);
  conversation.permissions.answer(question, "once");
  await conversation.idle();
  expect(two).toEqual(one);
  expect(told(await conversation.messages())).toEqual([
    "session",
    'user: call: exec {"command":"true"}\n---\nsay: done',
    "assistant (toolUse): toolCall",
    // The question, the queued message, the answer, and the start of the call.
    "custom",
    "custom",
    "custom",
    "custom",
    "toolResult",
    "user: say: hello",
    "assistant (stop): hello",
  ]);
});

/** An inbox whose session another process has open too. */
async function sharedInbox() {
  const { log, due } = new MemoryStore();
  const session = await log.create({ agent: "main" });
  const history = new History(session, () => undefined);
  const inbox = new Backlog({ session, history: () => history });
  const lease = await log.lease(session.id);
  if (lease === undefined) throw new Error("the session is leased already");
  return {
    log,
    session,
    history,
    inbox,
    isDue: () => due.has(session.id),
    next: () => inbox.nextPrompts(lease),
  };
}

test("a message that another process accepts between the last look and the removal of the mark is found", async () => {
  const { log, session, history, next } = await sharedInbox();
  const others = await log.open(session.id);
  const message = { ...user("just in time"), id: newId() };
  const read = vi.spyOn(history, "read");
  read.mockImplementationOnce(async () => {
    read.mockRestore();
    const messages = await history.read();
    await others.append([noteMessage({ type: "dragoman/inbox", data: { message } }, 1)], { due: true });
    return messages;
  });
  expect(await next()).toEqual([message]);
});

/** The next append is in the log when `written` is fulfilled, and acknowledged when `release` is called. */
function slowAppend(session: SessionLog): { written: Promise<void>; release(): void } {
  const append = session.append.bind(session);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const written = new Promise<void>((onWritten) => {
    vi.spyOn(session, "append").mockImplementationOnce(async (messages, options) => {
      const appended = await append(messages, options);
      onWritten();
      await released;
      return appended;
    });
  });
  return { written, release };
}

test("the mark stays while a message is on its way from the log into the queue", async () => {
  const { session, inbox, isDue, next } = await sharedInbox();
  const { written, release } = slowAppend(session);
  const message = { ...user("slow"), id: newId() };
  const keeping = inbox.storeAndEnqueue(message, "followup");
  await written;
  expect(await next()).toEqual([]);
  expect(await isDue()).toBe(true);
  release();
  await keeping;
  expect(await next()).toEqual([message]);
});

test("a message that is being stored when a run fails is queued once for the next run", async () => {
  const { session, inbox, next } = await sharedInbox();
  const { written, release } = slowAppend(session);
  const message = { ...user("slow"), id: newId() };
  const keeping = inbox.storeAndEnqueue(message, "steer");
  await written;
  inbox.clear(new Error("the lease is lost"));
  release();
  expect(await keeping).toBe(true);
  expect(await next()).toEqual([message]);
  expect(inbox.queue.size).toBe(0);
});

test("a message that was sent to two processes is queued once by the one that runs the session", async () => {
  const { log, session, inbox } = await sharedInbox();
  const sent = { idempotencyKey: "k1", runId: "r1" };
  const [here, there] = [newId(), newId()].map((id) => ({ ...user("hi"), id, ext: { sent } }));
  if (here === undefined || there === undefined) throw new Error("no messages");
  const accepted = inbox.enqueue(here, "steer");
  const others = await log.open(session.id);
  await others.append([noteMessage({ type: "dragoman/inbox", data: { message: there } }, 1)], {
    due: true,
    once: true,
  });
  expect(await inbox.enqueueStored(there.id, "steer")).toEqual(there);
  expect(inbox.queue.takeSteering()).toEqual([there]);
  await accepted;
});

test("a message that the log did not take leaves the mark to what else waits", async () => {
  const { session, inbox, isDue, next } = await sharedInbox();
  await session.append([], { due: true });
  vi.spyOn(session, "append").mockRejectedValueOnce(new Error("the disk is full"));
  await expect(inbox.storeAndEnqueue({ ...user("lost"), id: newId() }, "followup")).rejects.toThrow(
    "the disk is full",
  );
  expect(await next()).toEqual([]);
  expect(await isDue()).toBe(false);
});
