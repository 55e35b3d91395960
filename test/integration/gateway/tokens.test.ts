import { describe, expect, test } from "vitest";
import { isObject } from "../../../src/core/json/value.js";
import { TokenStore } from "../../../src/gateway/auth/token-store.js";
import { protocols } from "../../../src/gateway/protocols.js";
import { openCells } from "../../../src/log/files/cells.js";
import type { Config } from "../../../src/runtime/schema.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { dial, guarded } from "../../fakes/guarded-protocol.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";
import { TimbalClient } from "../../fakes/timbal-client.js";

const ID = "550e8400-e29b-41d4-a716-446655440000";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const real: Config = {
  model: "local/m",
  providers: { local: { baseUrl: "http://127.0.0.1:9/v1", apiKey: "none", maxRetries: 0 } },
  models: { "local/large": {} },
};

const post = (gateway: TestGateway, path: string, token: string, body: unknown) =>
  gateway.fetch(path, { method: "POST", token, body: JSON.stringify(body) });

describe("a model that the operator does not offer", () => {
  const refusal =
    /^this gateway does not offer the model "demo\/script" to this token; list it under "models"/;
  const messages = [{ role: "user", content: "hi" }];
  const calls: [string, object][] = [
    ["/v1/chat/completions", { model: "demo/echo", messages }],
    ["/v1/messages", { model: "demo/echo", max_tokens: 9, messages }],
    ["/v1/responses", { model: "demo/echo", input: "hi" }],
    ["/api/chat", { model: "demo/echo", messages }],
    ["/v1beta/models/demo/echo:generateContent", { contents: [{ role: "user", parts: [{ text: "hi" }] }] }],
    [`/v1/threads/${ID}`, { model: "demo/echo" }],
  ];

  test.each(calls)("is refused to the scope chat: %s", async (path, body) => {
    const gateway = await testGateway(protocols, { config: real });
    const response = await post(gateway, path, gateway.chat, body);
    expect(response.status).toBe(403);
    const said = JSON.stringify(await response.json());
    expect(said).toContain("this gateway does not offer the model");
    expect((await post(gateway, path, gateway.admin, body)).status).toBeLessThan(300);
  });

  test("is refused to the scope chat over /rpc, and to admin it is not", async () => {
    const gateway = await testGateway(protocols, { config: real });
    const chat = await RpcSocket.open(gateway.host, gateway.chat);
    const { error } = await chat.respond("sessions.create", { model: "demo/script" });
    expect(error).toMatchObject({
      code: -32001,
      message: expect.stringMatching(refusal),
      data: { offered: ["local/m", "local/large"] },
    });
    await chat.call("sessions.create", { model: "local/large" });
    const admin = await RpcSocket.open(gateway.host, gateway.admin);
    await admin.call("sessions.create", { model: "demo/script" });
  });

  test("is not listed either", async () => {
    const gateway = await testGateway(protocols, { config: real });
    const listed = async (path: string) => (await gateway.fetch(path, { token: gateway.chat })).text();
    for (const path of ["/v1/models", "/v1beta/models", "/api/tags"]) {
      expect(await listed(path)).toContain("local/large");
      expect(await listed(path)).not.toContain("demo/");
    }
    expect((await gateway.fetch("/v1/models/demo/script", { token: gateway.chat })).status).toBe(404);
    const { models } = await (await RpcSocket.open(gateway.host, gateway.chat)).call("models.list");
    expect(models).toMatchObject([{ id: "local/m" }, { id: "local/large" }]);
  });

  test("is a list whose models are offered, with the largest context window", async () => {
    const config: Config = {
      ...real,
      models: { "local/large": { contextWindow: 9000 }, "local/m": { contextWindow: 5000 } },
      aliases: { both: { models: ["local/m", "local/large"] } },
    };
    const gateway = await testGateway(protocols, { config });
    const chat = await RpcSocket.open(gateway.host, gateway.chat);
    const { models } = await chat.call("models.list");
    expect(models).toContainEqual(expect.objectContaining({ id: "both", contextWindow: 9000, ready: true }));
    await chat.call("sessions.create", { model: "both" });
    const thread = await post(gateway, `/v1/threads/${ID}`, gateway.chat, { model: "both" });
    expect(thread.status).toBeLessThan(300);
  });

  test("is a demo model only where an agent runs on another", async () => {
    const gateway = await testGateway(protocols);
    const chat = await RpcSocket.open(gateway.host, gateway.chat);
    await chat.call("sessions.create", { model: "demo/script" });
  });
});

describe("a token of one agent", () => {
  const config: Config = { model: "demo/echo", agents: { helper: {} } };

  async function begin() {
    const gateway = await testGateway(protocols, { config });
    const all = await RpcSocket.open(gateway.host, gateway.admin);
    const said = async (agent: string) => {
      const { sessionKey, id } = await all.call("sessions.create", { agent });
      const { runId } = await all.call("chat.send", { sessionKey, text: `needle of ${agent}` });
      await all.call("agent.wait", { runId });
      return { id, runId };
    };
    const [own, other] = [await said("helper"), await said("main")];
    const bound = gateway.tokens.issue("bound", "admin", { agents: ["helper"] });
    return { gateway, all, own, other, bound, socket: await RpcSocket.open(gateway.host, bound) };
  }

  test("finds no session of another over /rpc, whatever it asks", async () => {
    const { own, other, socket } = await begin();
    const sessionKey = other.id;
    const asked: [string, object][] = [
      ["sessions.get", { sessionKey }],
      ["chat.history", { sessionKey }],
      ["chat.send", { sessionKey, text: "hi" }],
      ["chat.send", { sessionKey: "agent:main:main", text: "hi" }],
      ["chat.subscribe", { sessionKey }],
      ["chat.subscribe", { sessionKey: "agent:main:new" }],
      ["chat.unsubscribe", { sessionKey }],
      ["chat.abort", { sessionKey }],
      ["agent", { message: { From: "1", To: "2", ChatType: "direct", Text: "hi" } }],
      ["agent.wait", { runId: other.runId }],
      ["sessions.create", { agent: "main" }],
      ["sessions.create", { agent: "helper", key: "agent:main:x" }],
      ["sessions.rename", { sessionKey, title: "x" }],
      ["sessions.model", { sessionKey }],
      ["sessions.fork", { sessionKey }],
      ["sessions.archive", { sessionKey }],
      ["sessions.export", { sessionKey }],
      ["sessions.compact", { sessionKey }],
      ["tools.list", {}],
      ["permission.answer", { sessionKey, id: "1", answer: "once" }],
    ];
    for (const [method, params] of asked) {
      const { error } = await socket.respond(method, params);
      expect([method, isObject(error) ? error["code"] : error]).toEqual([method, -32002]);
    }
    for (const method of ["sessions.get", "chat.history", "sessions.export", "sessions.model"]) {
      await socket.call(method, { sessionKey: own.id });
    }
    expect(await socket.call("agent.wait", { runId: own.runId })).toMatchObject({ status: "done" });
  });

  test("lists, finds and hears of its own sessions only", async () => {
    const { all, own, socket } = await begin();
    expect(await socket.call("sessions.list")).toMatchObject({ sessions: [{ id: own.id }] });
    expect(await socket.call("sessions.list", { agent: "main" })).toMatchObject({ sessions: [] });
    expect(await socket.call("sessions.search", { query: "needle", role: "user" })).toMatchObject({
      hits: [{ session: own.id }],
    });
    expect(await socket.call("sessions.stats")).toMatchObject({ sessions: 1, counts: { user: 1 } });
    expect(await all.call("sessions.stats")).toMatchObject({ sessions: 2 });
    expect(await socket.call("agents.list")).toMatchObject({ agents: [{ id: "helper" }] });
    await socket.call("sessions.subscribe");
    await all.call("sessions.subscribe");
    const hidden = await all.call("sessions.create", { agent: "main" });
    const seen = await all.call("sessions.create", { agent: "helper" });
    const isAbout = (id: unknown) => (frame: Record<string, unknown>) =>
      JSON.stringify(frame).includes(`"${id}"`);
    await all.until((frame) => frame["event"] === "session" && isAbout(hidden["id"])(frame));
    await socket.until((frame) => frame["event"] === "session" && isAbout(seen["id"])(frame));
    expect(socket.frames.some(isAbout(hidden["id"]))).toBe(false);
  });

  test("has no threads of another", async () => {
    const { gateway, bound } = await begin();
    const path = `/v1/threads/${ID}`;
    expect((await post(gateway, path, gateway.chat, {})).status).toBe(201);
    expect((await gateway.fetch(path, { token: bound })).status).toBe(404);
    expect((await post(gateway, `${path}/messages`, bound, { content: "hi" })).status).toBe(404);
    expect((await post(gateway, `${path}/cancel`, bound, {})).status).toBe(404);
    expect((await gateway.fetch(path, { method: "DELETE", token: bound })).status).toBe(404);
    const other = "/v1/threads/550e8400-e29b-41d4-a716-446655440009";
    expect(await (await post(gateway, other, bound, {})).json()).toMatchObject({
      message: "agent must be one of helper",
    });
    const client = await TimbalClient.open(`${gateway.url}/v1/stream`, bound);
    client.send({ s: ID, i: "1", v: { type: "user", content: "hi" } });
    await client.until(({ frames }) => frames.length > 0);
    expect(client.frames).toMatchObject([{ c: "error", code: "thread_not_found" }]);
  });

  test("asks no other agent by the APIs of the providers", async () => {
    const { gateway, bound, other } = await begin();
    const messages = [{ role: "user", content: "hi" }];
    const ask = (model: string, headers = {}) =>
      gateway.fetch("/v1/chat/completions", {
        method: "POST",
        token: bound,
        headers,
        body: JSON.stringify({ model, messages }),
      });
    expect([(await ask("agent/main")).status, (await ask("agent/helper")).status]).toEqual([404, 200]);
    expect((await ask("agent/helper", { "x-dragoman-session": String(other.id) })).status).toBe(404);
    expect(await (await gateway.fetch("/v1/models", { token: bound })).text()).not.toContain("agent/main");
  });
});

describe("a token that is no longer accepted", () => {
  test("has its next message refused, without waiting for the heartbeat: revoked", async () => {
    const gateway = await testGateway([guarded], { timing: { heartbeat: 60_000 } });
    const { secret, entry } = await gateway.tokens.create("short", "admin");
    const { socket } = await dial(gateway, "/admin-socket", { headers: bearer(secret) });
    const said: string[] = [];
    socket.on("message", (data) => said.push(String(data)));
    const answered = new Promise((resolve) => socket.once("message", resolve));
    socket.send("before");
    await answered;
    const closed = new Promise((resolve) =>
      socket.on("close", (code, reason) => resolve(`${code} ${reason.toString()}`)),
    );
    await new TokenStore(openCells(gateway.home)).revoke(entry.id);
    socket.send("after");
    socket.send("and again");
    expect(await closed).toBe("1008 the token was revoked or has expired");
    expect(said).toEqual(["before"]);
  });

  test("is refused from the moment it expires: by HTTP, and the next message of its socket", async () => {
    let now = 1_000;
    const gateway = await testGateway([guarded], { now: () => now, timing: { heartbeat: 60_000 } });
    const { secret } = await gateway.tokens.create("short", "admin", { expires: 2_000 });
    now = 1_999;
    expect((await gateway.fetch("/setting", { token: secret })).status).toBe(200);
    const { socket } = await dial(gateway, "/admin-socket", { headers: bearer(secret) });
    const closed = new Promise((resolve) => socket.on("close", resolve));
    now = 2_000;
    expect((await gateway.fetch("/setting", { token: secret })).status).toBe(401);
    socket.send("after");
    expect(await closed).toBe(1008);
  });

  test("has a socket that sends nothing closed by the heartbeat", async () => {
    let now = 1_000;
    const gateway = await testGateway([guarded], { now: () => now, timing: { heartbeat: 20 } });
    const { secret } = await gateway.tokens.create("short", "admin", { expires: 2_000 });
    const { socket } = await dial(gateway, "/admin-socket", { headers: bearer(secret) });
    const closed = new Promise((resolve) => socket.on("close", resolve));
    now = 2_000;
    expect(await closed).toBe(1008);
  });

  test("is looked up before each message, and the messages keep their order", async () => {
    const gateway = await testGateway([guarded]);
    const { secret } = await gateway.tokens.create("quick", "admin");
    const { socket } = await dial(gateway, "/admin-socket", { headers: bearer(secret) });
    const said: string[] = [];
    const all = new Promise<void>((resolve) => {
      socket.on("message", (data) => {
        if (said.push(String(data)) === 3) resolve();
      });
    });
    for (const text of ["one", "two", "three"]) socket.send(text);
    await all;
    expect(said).toEqual(["one", "two", "three"]);
  });

  test("is looked up also for a client that has hung up: what it sent before is accepted", async () => {
    const gateway = await testGateway(protocols);
    const { secret } = await gateway.tokens.create("quick", "chat");
    const sessionKey = "agent:main:main";
    const watcher = await RpcSocket.open(gateway.host, gateway.read);
    await watcher.call("chat.subscribe", { sessionKey });
    const { socket } = await dial(gateway, "/rpc", { headers: bearer(secret) });
    const params = { sessionKey, text: "last words" };
    socket.send(JSON.stringify({ jsonrpc: "2.0", method: "chat.send", params }));
    socket.close();
    await watcher.until((frame) => JSON.stringify(frame).includes("last words"));
  });
});
