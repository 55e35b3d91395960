import { expect, onTestFinished, test, vi } from "vitest";
import { event, isText, told, user } from "../../test/fakes/watching.js";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { MemoryStore } from "../log/memory/memory-store.js";
import type { Store } from "../log/store.js";
import { Runtime } from "./runtime.js";
import type { Config } from "./schema.js";
import { openHomeStore } from "./sessions.js";
import type { ConversationEvent } from "./types.js";

const path = folderForEachTest();

function runtimeOn(store: Store, model: string, config: Config = {}) {
  const failures: string[] = [];
  const runtime = new Runtime({
    home: path(),
    config: { model, ...config },
    store,
    onNote: (text) => failures.push(text),
  });
  onTestFinished(() => runtime.close());
  return { runtime, failures };
}

/** A run that streams its first word, and then loses its lease; another message waits for its answer. */
async function interrupted() {
  const memory = new MemoryStore();
  const store = Object.assign(memory, { catalogue: openHomeStore(path()).catalogue });
  const { runtime, failures } = runtimeOn(store, "demo/script");
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const ends: ConversationEvent[] = [];
  conversation.watch((one) => one.type === "run_end" && ends.push(one));
  const begun = event(conversation, isText);
  await conversation.send(user("say: half\nstall"));
  await begun;
  await conversation.send(user("say: two"), "followup");
  memory.leases.revoke(conversation.session.id);
  await conversation.idle();
  return { store, conversation, ends, failures };
}

test("a run that lost its lease ends, and stores nothing more", async () => {
  const { conversation, ends, failures } = await interrupted();
  expect(told(await conversation.messages())).toEqual(["session", "user: say: half\nstall", "custom"]);
  expect(ends).toMatchObject([{ type: "run_end", outcome: "error" }]);
  expect(failures).toEqual([
    `session ${conversation.session.id}: a message could not be stored: this process no longer holds the lease of ${conversation.session.id}`,
  ]);
});

test("the next process to hold the lease stores the partial answer, and answers what waits", async () => {
  const { store, conversation } = await interrupted();
  expect(await store.due.list()).toEqual([conversation.session.id]);
  const { runtime } = runtimeOn(store, "demo/script");
  const [resumed] = await runtime.resume();
  await resumed?.idle();
  expect(told(await conversation.messages())).toEqual([
    "session",
    "user: say: half\nstall",
    "custom",
    "assistant (error): half",
    "user: say: two",
    "assistant (stop): two",
    "custom",
  ]);
  expect(await store.due.list()).toEqual([]);
});

test("a tool that runs when the lease is lost is stopped, and the next process does not run it again", async () => {
  const memory = new MemoryStore();
  const store = Object.assign(memory, { catalogue: openHomeStore(path()).catalogue });
  const tools = {
    agents: { main: { tools: ["exec"], permissions: [{ tool: "exec", action: "allow" as const }] } },
  };
  const { runtime } = runtimeOn(store, "demo/script", tools);
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const running = event(
    conversation,
    (one) => one.type === "agent" && one.event.type === "tool_execution_start",
  );
  await conversation.send(user('call: exec {"command":"sleep 1000"}\n---\nsay: done'));
  await running;
  memory.leases.revoke(conversation.session.id);
  // The command ends with the run.
  await conversation.idle();
  const next = runtimeOn(store, "demo/script", tools);
  const [resumed] = await next.runtime.resume();
  await resumed?.idle();
  expect(told(await conversation.messages()).filter((line) => line !== "custom")).toEqual([
    "session",
    'user: call: exec {"command":"sleep 1000"}\n---\nsay: done',
    "assistant (toolUse): toolCall",
    "toolResult (error)",
    "assistant (stop): done",
  ]);
});

test("a message that its sender repeats while another process stores it and dies is answered once", async () => {
  const memory = new MemoryStore();
  const store = Object.assign(memory, { catalogue: openHomeStore(path()).catalogue });
  const { runtime } = runtimeOn(store, "demo/script");
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const { id } = conversation.session;
  const lease = await store.log.lease(id);
  if (lease === undefined) throw new Error("the lease is not free");
  await store.mark(id, lease).open();
  const others = await store.log.open(id);
  const append = conversation.session.append.bind(conversation.session);
  vi.spyOn(conversation.session, "append").mockImplementationOnce(async (messages, options) => {
    const sent = { idempotencyKey: "k1", runId: "r1" };
    await others.append([{ ...user("say: one"), ext: { sent } }], { under: lease });
    memory.leases.revoke(id);
    return append(messages, options);
  });
  await conversation.sendOnce("k1", user("say: one"));
  await conversation.idle();
  expect(told(await conversation.messages())).toEqual(["session", "user: say: one", "assistant (stop): one"]);
});
