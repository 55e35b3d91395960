import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/value.js";
import type { TestGateway } from "../../fakes/gateway.js";
import { TimbalClient } from "../../fakes/timbal-client.js";
import {
  ask,
  create,
  eachTestHasAHome,
  follow,
  followPath,
  ID,
  OTHER,
  rested,
  say,
  serve,
  sessionText,
  thread,
} from "../../fakes/timbal-server.js";

eachTestHasAHome();

const REPLY_TO = "01JHN5Y1J0A7Q3ZK5T9V2XWB4C";
const payload = { action: "delegate", task: "fetch weather for San Francisco" };

const send = (server: TestGateway, body: JsonObject, headers = {}) =>
  ask(server, `${thread()}/messages`, "POST", body, headers);

/** A client that may send on its socket, too. */
const join = (server: TestGateway, path = `${thread()}/stream`) =>
  TimbalClient.open(`${server.url}${path}`, server.chat);

/** What the gateway answers to a frame. */
async function answered(client: TimbalClient, frame: JsonObject): Promise<JsonObject> {
  const isAnswer = ({ c, i }: JsonObject) => (c === "accepted" || c === "error") && i === frame["i"];
  const before = client.frames.filter(isAnswer).length;
  client.send(frame);
  await client.until(({ frames }) => frames.filter(isAnswer).length > before);
  return client.frames.filter(isAnswer).at(-1) ?? {};
}

/** What a client gets that comes after a restart. */
async function valuesAfterRestart(server: TestGateway): Promise<unknown[]> {
  await server.stop();
  const late = await follow(await serve());
  await late.sync();
  return late.values();
}

test.each<[string, JsonObject]>([
  ["the value of the message", { type: "agent_message", senderId: OTHER, payload, replyTo: REPLY_TO }],
  ["content", { content: payload, metadata: { role: "agent", senderId: OTHER, replyTo: REPLY_TO } }],
  ["metadata.payload", { metadata: { role: "agent", senderId: OTHER, replyTo: REPLY_TO, payload } }],
])("another agent's payload may be an object, given as %s", async (_, body) => {
  const server = await serve({ model: "demo/echo" });
  await create(server);
  const client = await follow(server);
  const { status, body: accepted } = await send(server, body);
  expect(status).toBe(202);
  await rested(client);
  const said = { type: "agent_message", senderId: OTHER, payload, replyTo: REPLY_TO, sender: OTHER };
  expect(client.values()[0]).toEqual(said);
  expect(client.receiver.messages()[0]?.i).toBe(accepted["messageId"]);
  // The model reads it as JSON.
  expect(client.values()[1]).toMatchObject({ content: expect.stringContaining(JSON.stringify(payload)) });
  expect((await valuesAfterRestart(server))[0]).toEqual(said);
});

test.each([7, null, false, ["a", 1], "text"])("another agent's payload may be %j", async (given) => {
  const server = await serve({ model: "demo/echo" });
  await create(server);
  const client = await follow(server);
  await send(server, { type: "agent_message", senderId: OTHER, payload: given });
  await rested(client);
  expect(client.values()[0]).toEqual({
    type: "agent_message",
    senderId: OTHER,
    payload: given,
    sender: OTHER,
  });
});

test("beside a payload the content is for the model, and all other metadata stay", async () => {
  const server = await serve();
  await create(server);
  const client = await follow(server);
  const metadata = { role: "agent", senderId: OTHER, sender: "planner", payload, priority: 2 };
  await send(server, { content: "say: on my way", metadata });
  await rested(client);
  expect(client.values()).toEqual([
    {
      type: "agent_message",
      senderId: OTHER,
      payload,
      content: "say: on my way",
      sender: "planner",
      metadata: { priority: 2 },
    },
    { type: "agent", content: "on my way", sender: "main" },
  ]);
  expect(await sessionText()).toContain('"priority":2');
});

test("a follower with a chat token sends on the socket, and is told the id", async () => {
  const server = await serve();
  await create(server);
  const [client, other] = [await join(server), await follow(server)];
  const value = { type: "user", content: "say: hi", sender: "ann", mood: "good" };
  const accepted = await answered(client, { i: REPLY_TO, v: value });
  expect(accepted).toEqual({
    c: "accepted",
    i: REPLY_TO,
    messageId: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
  });
  await rested(other);
  expect(other.values()).toEqual([value, { type: "agent", content: "hi", sender: "main" }]);
  expect(other.receiver.messages()[0]?.i).toBe(accepted["messageId"]);
  // Sent again, because the connection broke before the answer came.
  expect(await answered(await join(server), { i: REPLY_TO, v: value })).toEqual(accepted);
  const message = { type: "agent_message", senderId: OTHER, payload };
  await answered(client, { i: "01JHN5Y1J0A7Q3ZK5T9V2XWB4D", v: message });
  await rested(other, 2);
  expect(other.values()[2]).toEqual({ ...message, sender: OTHER });
});

test("on a shared connection the stream says which thread is meant", async () => {
  const server = await serve();
  await create(server);
  const client = await join(server, "/v1/stream");
  const v = { type: "user", content: "say: hi" };
  expect(await answered(client, { s: ID, i: "a", v })).toMatchObject({ s: ID, c: "accepted", i: "a" });
  expect(await answered(client, { s: OTHER, i: "b", v })).toEqual({
    s: OTHER,
    c: "error",
    i: "b",
    code: "thread_not_found",
    message: `there is no thread ${OTHER}`,
  });
  client.send({ i: "c", v });
  await client.until(({ frames }) => frames.some(({ code }) => code === "invalid_stream"));
});

test("a frame that cannot be accepted is answered with the reason", async () => {
  const server = await serve();
  await create(server);
  const client = await join(server);
  expect(await answered(client, { i: "a", v: { type: "user" } })).toEqual({
    c: "error",
    i: "a",
    code: "invalid_request",
    message: "content must be a text",
    details: { field: "content", reason: "must be a text" },
  });
  expect(await answered(await follow(server), { i: "b", v: { type: "user", content: "hi" } })).toEqual({
    c: "error",
    i: "b",
    code: "forbidden",
    message: "this needs a token with scope chat",
    details: { scope: "chat" },
  });
  expect(await sessionText()).not.toContain('"user"');
});

test("custom and status messages reach every follower unchanged, no model, and the next process", async () => {
  const server = await serve({ model: "demo/echo" });
  await create(server);
  const [client, other] = [await join(server), await follow(server)];
  const custom = {
    type: "x-myapp-status",
    content: "Processing request...",
    progress: 0.5,
    nested: { a: [1] },
  };
  const status = {
    type: "status",
    state: "searching",
    detail: "Checking…",
    sender: "weather-bot",
    icon: "🌤",
  };
  const { status: code, body } = await send(server, custom);
  expect(code).toBe(202);
  await answered(client, { i: REPLY_TO, v: status });
  await say(server, "hello");
  await rested(other);
  expect(other.values().slice(0, 3)).toEqual([custom, status, { type: "user", content: "hello" }]);
  expect(other.receiver.messages()[0]?.i).toBe(body["messageId"]);
  expect(JSON.stringify(other.values()[3])).not.toContain("Processing");
  expect((await valuesAfterRestart(server)).slice(0, 2)).toEqual([custom, status]);
});

test("a custom message that was sent again under one key is stored once", async () => {
  const server = await serve();
  await create(server);
  const post = () => send(server, { type: "x-note", n: 1 }, { "idempotency-key": "k" });
  const [one, two] = await Promise.all([post(), post()]);
  expect((await post()).body["messageId"]).toBe(one.body["messageId"]);
  expect(two.body["messageId"]).toBe(one.body["messageId"]);
  const client = await follow(server);
  await client.sync();
  expect(client.values()).toEqual([{ type: "x-note", n: 1 }]);
});

test("a status is replaced and deleted by the frames that do so in Timbal", async () => {
  const server = await serve();
  await create(server);
  const [client, other] = [await join(server), await follow(server)];
  const i = REPLY_TO;
  const { messageId } = await answered(client, { i, v: { type: "status", state: "thinking" } });
  expect(await answered(client, { i, v: { type: "status", state: "working" } })).toMatchObject({ messageId });
  await other.until(({ frames }) => frames.filter(({ v }) => v !== undefined).length === 2);
  expect(other.values()).toEqual([{ type: "status", state: "working" }]);
  expect(await answered(client, { i, v: null })).toEqual({ c: "accepted", i, messageId });
  await other.until(({ frames }) => frames.some(({ v }) => v === null));
  expect(other.values()).toEqual([]);
  expect(await valuesAfterRestart(server)).toEqual([]);
});

test("only what its sender can take back is deleted", async () => {
  const server = await serve();
  await create(server);
  const client = await join(server);
  const { messageId } = await answered(client, { i: "a", v: { type: "user", content: "say: hi" } });
  await rested(client);
  for (const i of ["a", messageId, "nothing"]) {
    expect(await answered(client, { i, v: null })).toMatchObject({
      code: "invalid_request",
      message: "i must be that of a status or x-… message sent to this thread",
    });
  }
});

test("in a thread of several a message needs its sender", async () => {
  const server = await serve();
  await create(server);
  const client = await join(server);
  // As long as nobody is named there is one user.
  expect((await send(server, { content: "say: 1" })).status).toBe(202);
  const first = await send(server, { content: "say: 2" }, { "idempotency-key": "k" });
  expect(first.status).toBe(202);
  expect((await send(server, { content: "say: 3", metadata: { sender: "ann" } })).status).toBe(202);
  expect(await send(server, { content: "say: 4" })).toEqual({
    status: 400,
    body: {
      error: "invalid_request",
      message: "metadata.sender is required: another sender has written in this thread",
      details: {
        field: "metadata.sender",
        reason: "is required: another sender has written in this thread",
        hint: 'name the author in metadata.sender, as "ann" does',
      },
    },
  });
  expect(await answered(client, { i: "a", v: { type: "user", content: "say: 5" } })).toMatchObject({
    c: "error",
    code: "invalid_request",
    details: { field: "sender" },
  });
  expect((await send(server, { type: "user", content: "say: 6", sender: "bob" })).status).toBe(202);
  // What was accepted before is not sent anew.
  expect(await send(server, { content: "say: 2" }, { "idempotency-key": "k" })).toMatchObject({
    status: 202,
    body: { messageId: first.body["messageId"] },
  });
  await server.stop();
  expect((await send(await serve(), { content: "say: 7" })).status).toBe(400);
});

test("a sub-agent is a thread that can be read, followed and written to", async () => {
  const config = {
    model: "demo/script",
    agents: {
      main: { agents: ["scout"], permissions: [{ tool: "agent", action: "allow" as const }] },
      scout: { description: "Finds things out." },
    },
  };
  const server = await serve(config);
  await create(server);
  const client = await follow(server);
  await say(server, 'call: agent {"agent":"scout","prompt":"say: found it"}\n---\nsay: thanks');
  await rested(client);
  const completed = client.receiver.messages().find(({ value }) => value?.["type"] === "agent_complete");
  const agentId = String(completed?.value?.["agentId"]);
  expect(await ask(server, thread(agentId), "GET")).toMatchObject({
    status: 200,
    body: { threadId: agentId, status: "idle", agent: "scout" },
  });
  const scout = await follow(server, agentId);
  await scout.sync();
  expect(scout.values()).toEqual([
    { type: "user", content: "say: found it", sender: expect.any(String) },
    { type: "agent", content: "found it", sender: "scout" },
  ]);
  const shared = await followPath(server, "/v1/stream");
  await shared.sync({ s: agentId });
  expect(shared.values(agentId)).toEqual(scout.values());
  const more = { content: "say: more", metadata: { sender: "ann" } };
  expect((await ask(server, `${thread(agentId)}/messages`, "POST", more)).status).toBe(202);
  await rested(scout);
  expect(scout.values().at(-1)).toEqual({ type: "agent", content: "more", sender: "scout" });
  await server.stop();
  expect((await ask(await serve(config), thread(agentId), "GET")).status).toBe(200);
});

test("a session that is not a sub-agent's has no thread under its own id", async () => {
  const server = await serve();
  const { session } = await server.runtime.begin({ key: "agent:main:main" });
  const { threadOfSession } = await import("../../../src/gateway/timbal/thread-id.js");
  expect((await ask(server, thread(threadOfSession(session.id)), "GET")).status).toBe(404);
});

test("a custom message that comes while the agent works is seen at once, and leaves the run alone", async () => {
  const server = await serve();
  await create(server);
  const client = await follow(server);
  await say(server, "say: wait\nstall");
  await client.until(() => JSON.stringify(client.values()).includes('"content":"wait"'));
  const progress = { type: "x-progress", done: 0.5 };
  await send(server, progress);
  await client.until(() => JSON.stringify(client.values()).includes("x-progress"));
  await ask(server, `${thread()}/cancel`, "POST");
  await rested(client);
  await say(server, "say: next");
  await rested(client, 2);
  expect(client.values()).toEqual([
    { type: "user", content: "say: wait\nstall" },
    { type: "agent", content: "wait", sender: "main" },
    progress,
    { type: "user", content: "say: next" },
    { type: "agent", content: "next", sender: "main" },
  ]);
});
