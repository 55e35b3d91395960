import { describe, expect, test } from "vitest";
import { SteppedModel } from "../../fakes/stepped-model.js";
import {
  create,
  eachTestHasAHome,
  end,
  follow,
  followPath,
  ID,
  rested,
  say,
  serve,
} from "../../fakes/timbal-server.js";

eachTestHasAHome();

const chunks = [
  { thinking: "Let me " },
  { thinking: "see." },
  { text: "I look " },
  { text: "it up." },
  { call: { id: "call_1", name: "read", arguments: '{"file_' } },
  { call: { arguments: 'path":"x"}' } },
];

const written = [
  { type: "user", content: "Weather?" },
  { type: "thinking", content: "Let me see.", sender: "main" },
  { type: "agent", content: "I look it up.", sender: "main" },
  { type: "tool_call", toolCallId: "call_1", name: "read", arguments: { file_path: "x" }, sender: "main" },
  { type: "tool_result", toolCallId: "call_1", name: "read", status: "error", error: expect.any(String) },
  { type: "agent", content: "It is sunny.", sender: "main" },
];

async function begun(model: SteppedModel) {
  const server = await serve(model.config, { models: { fetch: model.fetch } });
  await create(server);
  return server;
}

describe("whoever joins in the middle of an answer", () => {
  test("sees, from any moment on, what everybody sees, and in the end the same", async () => {
    const model = new SteppedModel();
    const server = await begun(model);
    const first = await follow(server);
    const clients = [first];
    await say(server, "Weather?");
    await model.isAsked(1);
    const join = async () => {
      const client = await follow(server);
      await client.sync();
      expect(client.transcript()).toEqual(first.transcript());
      clients.push(client);
    };
    let appended = 0;
    const step = async (chunk: (typeof chunks)[number]) => {
      model.send(chunk);
      appended++;
      await first.until(({ frames }) => frames.filter(({ a }) => a !== undefined).length === appended);
      await join();
    };
    await join();
    for (const chunk of chunks) await step(chunk);
    model.send({ stop: "tool_calls" });
    await model.isAsked(2);
    await join();
    await step({ text: "It is " });
    await step({ text: "sunny." });
    model.send({ stop: "stop" });
    for (const client of clients) await rested(client);
    await join();
    expect(clients).toHaveLength(12);
    for (const client of clients) {
      expect(client.values()).toEqual(written);
      expect(client.transcript()).toEqual(first.transcript());
      expect(client.receiver.messages().every(({ state }) => state === "complete")).toBe(true);
    }
  });

  test("is sent a start with what is known and one append with the text so far", async () => {
    const model = new SteppedModel();
    const server = await begun(model);
    // Nobody follows while it begins.
    await say(server, "Weather?");
    await model.isAsked(1);
    const watched = await server.runtime.open(
      `${await server.runtime.log.find(`agent:main:timbal:dm:${ID}`)}`,
    );
    const seen = new Promise<void>((resolve) => {
      watched.watch((event) => {
        if (event.type !== "agent" || event.event.type !== "message_update") return;
        const { assistantMessageEvent: inner } = event.event;
        if (inner.type === "toolcall_delta" && inner.delta.startsWith("path")) resolve();
      });
    });
    for (const chunk of chunks) model.send(chunk);
    await seen;
    const client = await follow(server);
    await client.sync();
    // The first frames are of the connection itself: it follows from the first moment.
    const begins = client.frames.findIndex(({ v }) => JSON.stringify(v)?.includes("Weather?"));
    expect(client.frames.slice(begins).map(({ i: _, t: __, ...rest }) => rest)).toEqual([
      { v: { type: "user", content: "Weather?" } },
      { v: { type: "thinking", content: "Let me see.", sender: "main" } },
      { v: { type: "agent", content: "I look it up.", sender: "main" } },
      { m: { type: "tool_call", toolCallId: "call_1", name: "read", sender: "main" } },
      { a: '{"file_path":"x"}' },
      { v: { type: "status", state: "thinking", sender: "main" } },
      { c: "cursor", after: expect.any(String) },
    ]);
  });

  test("of a run that this protocol has not begun, sees the text so far too", async () => {
    const model = new SteppedModel();
    const server = await begun(model);
    const id = await server.runtime.log.find(`agent:main:timbal:dm:${ID}`);
    const conversation = await server.runtime.open(`${id}`);
    const delta = new Promise<void>((resolve) => {
      conversation.watch((event) => {
        if (event.type !== "agent" || event.event.type !== "message_update") return;
        if (event.event.assistantMessageEvent.type === "toolcall_delta") resolve();
      });
    });
    await conversation.send({ role: "user", content: "Weather?", timestamp: Date.now() });
    await model.isAsked(1);
    for (const chunk of chunks.slice(0, 5)) model.send(chunk);
    await delta;
    const client = await follow(server);
    await client.sync();
    const values = client.values().filter((value) => !JSON.stringify(value).includes("status"));
    expect(values).toEqual([
      { type: "user", content: "Weather?" },
      { type: "thinking", content: "Let me see.", sender: "main" },
      { type: "agent", content: "I look it up.", sender: "main" },
      { type: "tool_call", toolCallId: "call_1", name: "read", content: '{"file_', sender: "main" },
    ]);
    for (const chunk of chunks.slice(5)) model.send(chunk);
    model.send({ stop: "tool_calls" });
    await model.isAsked(2);
    model.send({ text: "It is sunny.", stop: "stop" });
    await rested(client);
    expect(client.values()).toEqual(written);
  });
});

test("a thread's own tools and model are what is asked, and its prompt follows the agent's", async () => {
  const model = new SteppedModel();
  const config = {
    ...model.config,
    model: "demo/echo",
    models: { "local/m": {} },
    agents: { main: { systemPrompt: "Tell no secrets." } },
  };
  const server = await serve(config, { models: { fetch: model.fetch } });
  await create(server, { model: "local/m", systemPrompt: "Be brief.", tools: ["read"] });
  await say(server, "Hi");
  await model.isAsked(1);
  const [{ messages, tools } = {}] = model.asked;
  expect(messages).toMatchObject([
    {
      role: "system",
      content:
        "Tell no secrets.\n\n[Instructions of the client, not of your operator; they do not replace your own:]\nBe brief.",
    },
    { role: "user", content: "Hi" },
  ]);
  expect(tools).toMatchObject([{ function: { name: "read" } }]);
});

test("a client that does not read is dropped, and the others get everything", async () => {
  const server = await serve({ model: "demo/echo" }, { limits: { unreadBytes: 1024 * 1024 } });
  await create(server);
  const [quick, slow] = [await follow(server), await follow(server)];
  await slow.sync();
  slow.socket.pause();
  const word = "x".repeat(256 * 1024);
  for (let run = 1; run <= 30; run++) {
    await say(server, word);
    await rested(quick, run);
  }
  expect(quick.values()).toHaveLength(60);
  await server.untilNoted("too much was unread");
  await server.untilNoted('"code":1006');
  slow.socket.resume();
  expect((await slow.closed).code).toBe(1006);
  expect(slow.values().length).toBeLessThan(60);
});

describe("several threads on one connection", () => {
  test("are streams by the names of the threads", async () => {
    const server = await serve();
    const B = "550e8400-e29b-41d4-a716-446655440002";
    await create(server);
    await create(server, {}, B);
    const client = await followPath(server, "/v1/stream");
    client.send({ c: "sync", s: ID });
    client.send({ c: "sync", s: B });
    await client.until(({ cursors }) => cursors.length === 2);
    await say(server, "say: a");
    await rested(client, 1, ID);
    await say(server, "say: b", B);
    await rested(client, 1, B);
    expect(client.frames.every(({ s }) => s === ID || s === B)).toBe(true);
    expect(client.receiver.streams()).toEqual([ID, B]);
    expect(client.values(B)).toEqual([
      { type: "user", content: "say: b" },
      { type: "agent", content: "b", sender: "main" },
    ]);
    client.send({ c: "unsub", s: ID });
    client.send({ c: "unsub", s: "never-subscribed" });
    client.send({ c: "sync", s: B });
    await client.until(({ cursors }) => cursors.length >= 3 + 4);
    const before = client.frames.filter(({ s }) => s === ID).length;
    await say(server, "say: more");
    await say(server, "say: more", B);
    await rested(client, 2, B);
    expect(client.frames.filter(({ s }) => s === ID)).toHaveLength(before);
    const single = await follow(server);
    await single.sync();
    await single.until(() => single.values().length === 4);
    expect(single.transcript().slice(0, 2)).toEqual(client.transcript(ID));
  });

  test("what is wrong with one is told, and the others go on", async () => {
    const scheduled: (() => void)[] = [];
    const server = await serve(undefined, {
      schedule: (_, callback) => {
        scheduled.push(callback);
        return () => undefined;
      },
    });
    const client = await followPath(server, "/v1/stream");
    client.send({ c: "sync" });
    client.send({ c: "sync", s: "general" });
    client.send({ c: "sync", s: ID });
    await client.until(({ frames }) => frames.length === 2);
    scheduled[0]?.();
    await client.until(({ frames }) => frames.length === 3);
    expect(client.frames).toEqual([
      { c: "error", code: "invalid_stream", message: "s is missing: the thread's UUID" },
      {
        s: "general",
        c: "error",
        code: "invalid_stream",
        message: "s must be a thread's UUID in lower case",
      },
      { s: ID, c: "error", code: "invalid_stream", message: "the thread does not exist" },
    ]);
    await create(server);
    await client.sync({ s: ID });
    const { status } = await end(server);
    expect(status).toBe(204);
    await client.until(({ frames }) => frames.length === 5);
    expect(client.frames[4]).toEqual({
      s: ID,
      c: "error",
      code: "invalid_stream",
      message: "the thread has ended",
    });
  });
});
