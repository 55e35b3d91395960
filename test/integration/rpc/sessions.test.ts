import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { connectDragoman, type SessionsEvent } from "../../../src/client/index.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { cuttingProxy } from "../../fakes/cutting-proxy.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

const sessionKey = "agent:main:main";
let gateway: TestGateway;
let socket: RpcSocket;

beforeEach(async () => {
  gateway = await testGateway([rpc], { config: { model: "demo/script" } });
  socket = await RpcSocket.open(gateway.host, gateway.admin);
});

const tells = (...words: string[]) => {
  return ({ event, data }: Record<string, unknown>) =>
    event === "session" && words.every((word) => JSON.stringify(data).includes(word));
};

describe("whoever follows the list of sessions", () => {
  test("hears of those that are made, described and forked", async () => {
    expect(await socket.call("sessions.subscribe")).toEqual({ subscribed: true });
    const other = await RpcSocket.open(gateway.host, gateway.admin);
    const { id } = await other.call("sessions.create", { key: sessionKey, title: "Plans" });
    expect(await socket.until(tells("Plans"))).toMatchObject({
      data: { session: { id, sessionKey, title: "Plans", archived: false }, busy: false },
    });
    await other.call("sessions.rename", { sessionKey, title: "Better plans" });
    await socket.until(tells("Better plans"));
    await other.call("sessions.archive", { sessionKey });
    await socket.until(tells('"archived":true'));
    const fork = await other.call("sessions.fork", { sessionKey });
    expect(await socket.until(tells(`"id":"${fork["id"]}"`))).toMatchObject({
      data: { session: { parent: { session: id } } },
    });
    expect(other.events("session")).toEqual([]);
  });

  test("hears when an agent begins its work and when it ends", async () => {
    await socket.call("sessions.subscribe");
    await socket.call("chat.send", { sessionKey, text: "say: wait\nstall" });
    await socket.until(tells('"busy":true'));
    const listed = await socket.call("sessions.list");
    expect(listed).toMatchObject({
      sessions: [{ sessionKey }],
      busy: [expect.stringMatching(/^[0-9A-Z]{26}$/)],
    });
    await socket.call("chat.abort", { sessionKey });
    await socket.until(tells('"busy":false', '"assistant":1'));
    expect(await socket.call("sessions.list")).toMatchObject({ busy: [] });
  });

  test("is told by the client when the connection was lost and is there again", async () => {
    const after = (_: number, callback: () => void) => {
      setImmediate(callback);
      return () => undefined;
    };
    const proxy = await cuttingProxy(gateway.host);
    const client = await connectDragoman({
      url: `ws://${proxy.host}/rpc`,
      token: gateway.admin,
      WebSocket,
      world: { random: () => 1, after },
    });
    const seen: string[] = [];
    const told = (event: SessionsEvent) =>
      event.type === "session" ? `${event.session.title}` : event.state;
    for await (const event of client.sessions()) {
      seen.push(told(event));
      if (seen.length === 1) await client.call("sessions.create", { title: "one" });
      if (seen.length === 2) proxy.cut();
      if (seen.length === 4) await client.call("sessions.create", { title: "two" });
      if (seen.length === 5) break;
    }
    expect(seen).toEqual(["open", "one", "lost", "open", "two"]);
    client.close();
  });
});

describe("the model of a session", () => {
  test("is its agent's unless another was chosen", async () => {
    await socket.call("sessions.create", { key: sessionKey });
    expect(await socket.call("sessions.model", { sessionKey })).toMatchObject({ model: "demo/script" });
    await socket.call("sessions.model", { sessionKey, model: "demo/echo" });
    expect(await socket.call("sessions.model", { sessionKey })).toMatchObject({ model: "demo/echo" });
    const { runId } = await socket.call("chat.send", { sessionKey, text: "say: it is repeated" });
    await socket.call("agent.wait", { runId });
    expect(await socket.call("chat.history", { sessionKey, limit: 1 })).toMatchObject({
      messages: [{ message: { model: "echo", content: [{ text: "say: it is repeated" }] } }],
    });
  });

  test("can be chosen from the beginning", async () => {
    await socket.call("sessions.create", { key: sessionKey, model: "demo/tools" });
    expect(await socket.call("sessions.model", { sessionKey })).toMatchObject({ model: "demo/tools" });
  });

  test("is told to those who may only look", async () => {
    await socket.call("sessions.create", { key: sessionKey });
    const reader = await RpcSocket.open(gateway.host, gateway.read);
    expect(await reader.call("sessions.model", { sessionKey })).toEqual({ sessionKey, model: "demo/script" });
  });

  test.each([
    ["sessions.create", {}],
    ["sessions.model", { sessionKey }],
  ])("%s refuses one that nobody knows", async (method, params) => {
    await socket.call("sessions.create", { key: sessionKey });
    expect(await socket.respond(method, { ...params, model: "nobody/x" })).toMatchObject({
      error: { code: -32602, data: { code: "config/invalid" } },
    });
  });

  test("models that can answer are told from those that want a key", async () => {
    const { models } = await socket.call("models.list");
    expect(models).toContainEqual({
      id: "demo/tools",
      input: ["text"],
      accepts: [],
      thinking: false,
      ready: true,
      needsKey: false,
      description: "This demo model calls the agent's tools and reports the results.",
    });
    const cards = new Map((models as { id: string }[]).map((card) => [card.id.split("/")[0], card]));
    expect(cards.get("anthropic")).toMatchObject({ ready: false, needsKey: true });
    expect(cards.get("anthropic")).not.toHaveProperty("description");
  });
});

describe("an export without a dialect", () => {
  test("is the session as it is stored", async () => {
    const { id } = await socket.call("sessions.create", { key: sessionKey, title: "Plans" });
    const file = join(gateway.home, `agents/main/sessions/${id}.jsonl`);
    appendFileSync(file, "damaged\n");
    expect(await socket.call("sessions.export", { sessionKey })).toEqual({
      dialect: "openclaw",
      text: readFileSync(file, "utf8"),
      losses: [],
      kinds: [],
    });
  });

  test("is the file, where another program wrote it, which can be looked at and not be talked to", async () => {
    const id = "6f0d2f4e-2b1c-4d7e-9f00-000000000001";
    const time = '"timestamp":"2026-01-05T09:00:01.000Z"';
    const text = [
      `{"type":"session","version":3,"id":"${id}",${time},"cwd":"/home/ada"}`,
      `{"type":"message","id":"e1","parentId":null,${time},"message":{"role":"user","content":"Count.","timestamp":1767603601000}}`,
      "",
    ].join("\n");
    const folder = join(gateway.home, "agents/main/sessions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${id}.jsonl`), text);
    expect(await socket.call("sessions.get", { sessionKey: id })).toMatchObject({
      session: { id, foreign: true },
      busy: false,
    });
    expect(await socket.call("sessions.export", { sessionKey: id })).toEqual({
      dialect: "pi",
      text,
      losses: [],
      kinds: [],
    });
    expect(await socket.call("sessions.export", { sessionKey: id, dialect: "openai-chat" })).toMatchObject({
      dialect: "openai-chat",
      text: expect.stringContaining("Count."),
    });
    expect(await socket.respond("chat.send", { sessionKey: id, text: "And?" })).toHaveProperty("error");
    expect(readFileSync(join(folder, `${id}.jsonl`), "utf8")).toBe(text);
  });
});

test("the channels are listed with their titles and the setting that is a secret", async () => {
  expect(await socket.call("channels.list")).toEqual({
    channels: [
      { name: "telegram", title: "Telegram", secret: "token" },
      { name: "discord", title: "Discord", secret: "token" },
      { name: "whatsapp", title: "WhatsApp" },
      { name: "webhook", title: "Webhook", secret: "secret" },
    ],
  });
});

test("the dialects are those that an export takes", async () => {
  await socket.call("sessions.create", { key: sessionKey });
  const { dialects } = await socket.call("dialects.list");
  expect(dialects).toContainEqual(expect.objectContaining({ name: "openai-chat", writes: true }));
});
