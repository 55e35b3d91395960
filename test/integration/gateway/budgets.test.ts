import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { TokenLimits } from "../../../src/gateway/auth/token-store.js";
import { protocols } from "../../../src/gateway/protocols.js";
import { type TestGateway, type TestGatewayOptions, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

const ID = "550e8400-e29b-41d4-a716-446655440000";

/** A word costs $0.25, in and out alike. */
const config = {
  models: {
    "demo/echo": { prices: { input: 250_000, output: 250_000, cacheRead: 0, cacheWrite: 0 } },
    "demo/script": { prices: { input: 250_000, output: 250_000, cacheRead: 0, cacheWrite: 0 } },
    "demo/tools": {},
  },
};

const noon = Date.parse("2026-11-16T12:00:00Z");
const SPENT = /the token's budget of \$1\/day is spent: \$1 used; it resets at 2026-11-17T00:00:00.000Z/;

/** A gateway at noon, and a token with these limits. */
async function limited(limits: TokenLimits, options: TestGatewayOptions = {}) {
  const clock = { now: noon };
  const now = () => clock.now;
  const gateway = await testGateway(protocols, { config, now, models: { world: { now } }, ...options });
  const { secret, entry } = await gateway.tokens.create("ci", "chat", limits);
  return { gateway, clock, token: secret, id: entry.id };
}

const day = { budget: { dollars: 1, per: "day" as const } };

const chat = (gateway: TestGateway, token: string, content: string, model = "demo/echo") =>
  gateway.fetch("/v1/chat/completions", {
    method: "POST",
    token,
    body: JSON.stringify({ model, messages: [{ role: "user", content }] }),
  });

/** How often a provider's client has asked, with the retries it does by itself. */
function counting() {
  const counter = { requests: 0 };
  const counted: typeof fetch = (...args) => {
    counter.requests++;
    return fetch(...args);
  };
  return { counter, fetch: counted };
}

describe("a spent budget", () => {
  test("is refused to OpenAI's client, which does not try again", async () => {
    const { gateway, token } = await limited(day);
    const { counter, fetch } = counting();
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: token, fetch });
    const ask = () =>
      client.chat.completions.create({
        model: "demo/echo",
        messages: [{ role: "user", content: "one two" }],
      });
    await ask();
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ status: 429, code: "insufficient_quota", type: "rate_limit_error" });
    expect(String(error)).toMatch(SPENT);
    await expect(client.responses.create({ model: "demo/echo", input: "hi" })).rejects.toThrow(SPENT);
    expect(counter.requests).toBe(3);
  });

  test("counts embeddings, and is refused for them", async () => {
    const { gateway, token } = await limited(day);
    const embed = (input: string) =>
      gateway.fetch("/v1/embeddings", {
        method: "POST",
        token,
        body: JSON.stringify({ model: "demo/echo", input }),
      });
    const first = await embed("one two three four");
    expect([first.status, first.headers.get("x-dragoman-budget-remaining")]).toEqual([200, "0"]);
    const second = await embed("one");
    expect(second.status).toBe(429);
    expect((await second.json()).error.message).toMatch(SPENT);
  });

  test("is refused to Anthropic's client, which does not try again", async () => {
    const { gateway, token } = await limited(day);
    const { counter, fetch } = counting();
    const client = new Anthropic({ baseURL: gateway.url, apiKey: token, fetch });
    const body = {
      model: "demo/echo",
      max_tokens: 9,
      messages: [{ role: "user" as const, content: "one two" }],
    };
    await client.messages.create(body);
    const error = await client.messages.create(body).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    expect(String(error)).toMatch(SPENT);
    await expect(client.messages.stream(body).finalMessage()).rejects.toThrow(SPENT);
    expect(counter.requests).toBe(3);
  });

  test("is refused to the clients of Google and Ollama", async () => {
    const { gateway, token } = await limited(day);
    await (await chat(gateway, token, "one two")).json();
    const google = new GoogleGenAI({ apiKey: token, httpOptions: { baseUrl: gateway.url } });
    const error = await google.models
      .generateContent({ model: "demo/echo", contents: "hi" })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 429 });
    expect(String(error)).toMatch(SPENT);
    const ollama = new Ollama({ host: gateway.url, headers: { authorization: `Bearer ${token}` } });
    const asked = ollama.chat({ model: "demo/echo", messages: [{ role: "user", content: "hi" }] });
    await expect(asked).rejects.toThrow(SPENT);
  });

  test("is refused for agents, and nothing is stored", async () => {
    const { gateway, token } = await limited(day);
    await (await chat(gateway, token, "one two")).json();
    expect((await chat(gateway, token, "hi", "agent/main")).status).toBe(429);
    const { status, error } = await timbalAndRpc(gateway, token);
    expect(status).toBe(429);
    expect(error).toMatchObject({
      code: -32004,
      message: "the token's budget of $1/day is spent: $1 used",
      data: { code: "budget/spent" },
    });
    const roles: string[] = [];
    for await (const { id } of gateway.runtime.log.list()) {
      roles.push(...(await (await gateway.runtime.open(id)).messages()).map(({ role }) => role));
    }
    expect(roles).not.toContain("user");
  });

  test("is available again at midnight UTC, or when it is raised", async () => {
    const { gateway, clock, token, id } = await limited(day);
    await (await chat(gateway, token, "one two")).json();
    expect((await chat(gateway, token, "hi")).status).toBe(429);
    await gateway.tokens.limit(id, { budget: { dollars: 2, per: "day" } });
    expect((await chat(gateway, token, "hi")).status).toBe(200);
    await gateway.tokens.limit("ci", day);
    expect((await chat(gateway, token, "hi")).status).toBe(429);
    clock.now = Date.parse("2026-11-17T00:00:00Z");
    expect((await chat(gateway, token, "hi")).status).toBe(200);
  });

  test("does not cut an answer, but ends a run before its next call", async () => {
    const { gateway, token } = await limited(day, {
      config: {
        ...config,
        model: "demo/script",
        agents: { main: { permissions: [{ tool: "*", action: "allow" }] } },
      },
    });
    const script = 'say: Let me look.\ncall: read {"file_path":"a.txt"}\n---\nsay: It is there.';
    const response = await chat(gateway, token, script, "agent/main");
    expect(response.status).toBe(429);
    const session = response.headers.get("x-dragoman-session") ?? "";
    const messages = await (await gateway.runtime.open(session)).messages();
    expect(messages.map(({ role }) => role)).toEqual([
      "session",
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    expect(messages.at(-1)).toMatchObject({
      stopReason: "error",
      ext: { failure: { code: "budget/spent" } },
    });
  });

  test("survives a restart", async () => {
    const { gateway, token } = await limited(day);
    await (await chat(gateway, token, "one two")).json();
    await gateway.stop();
    const now = () => noon + 1;
    const again = await testGateway(protocols, {
      config,
      home: gateway.home,
      now,
      models: { world: { now } },
    });
    expect((await chat(again, token, "hi")).status).toBe(429);
  });
});

/** The status of a Timbal message, and the error of `chat.send`. */
async function timbalAndRpc(gateway: TestGateway, token: string) {
  const post = (path: string, body: object) =>
    gateway.fetch(path, { method: "POST", token, body: JSON.stringify(body) });
  await post(`/v1/threads/${ID}`, {});
  const { status } = await post(`/v1/threads/${ID}/messages`, { content: "hi" });
  const socket = await RpcSocket.open(gateway.host, token);
  const { error } = await socket.respond("chat.send", { sessionKey: "agent:main:main", text: "hi" });
  return { status, error };
}

test("a model without a price is refused with what to configure", async () => {
  const { gateway, token } = await limited(day);
  const response = await chat(gateway, token, "hi", "demo/tools");
  expect(response.status).toBe(403);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(await response.json()).toMatchObject({
    error: {
      message:
        'the price of demo/tools is unknown, and a token with a budget can use only models with a known price; set models["demo/tools"].prices in the configuration; 0 is a price',
    },
  });
});

test("headers state what an answer cost and what is left", async () => {
  const { gateway, token } = await limited({ ...day, requestsPerMinute: 10 });
  const whole = await chat(gateway, token, "one");
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "x-dragoman-cost": "0.5",
    "x-dragoman-budget-remaining": "0.5",
    "x-dragoman-budget-reset": "2026-11-17T00:00:00.000Z",
    "x-ratelimit-limit-requests": "10",
    "x-ratelimit-remaining-requests": "9",
    "x-ratelimit-reset-requests": "6s",
  });
  const body = {
    model: "demo/echo",
    max_tokens: 9,
    stream: true,
    messages: [{ role: "user", content: "hi" }],
  };
  const streamed = await gateway.fetch("/v1/messages", { method: "POST", token, body: JSON.stringify(body) });
  await streamed.text();
  expect(streamed.headers.get("x-dragoman-cost")).toBeNull();
  expect(Object.fromEntries(streamed.headers)).toMatchObject({
    "x-dragoman-budget-remaining": "0.5",
    "anthropic-ratelimit-requests-limit": "10",
    "anthropic-ratelimit-requests-remaining": "8",
    "anthropic-ratelimit-requests-reset": "2026-11-16T12:00:12.000Z",
  });
});

test("a token's own rate replaces the gateway's, over HTTP and sockets", async () => {
  const { gateway, token, id } = await limited({ requestsPerMinute: 2 });
  expect((await chat(gateway, token, "one")).status).toBe(200);
  expect((await chat(gateway, token, "two")).status).toBe(200);
  const refused = await chat(gateway, token, "three");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  await gateway.tokens.limit(id, { requestsPerMinute: null });
  expect((await chat(gateway, token, "four")).headers.get("x-ratelimit-limit")).toBe("600");
});

test("usage is listed by what is asked, to admins all of it and to others their own", async () => {
  const { gateway, token, id } = await limited(day);
  await (await chat(gateway, token, "one")).json();
  await (await chat(gateway, gateway.admin, "two words", "agent/main")).json();
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  const { result: all } = await admin.respond("usage.list", { by: "agent" });
  expect(all).toMatchObject({
    rows: [
      { name: "main", calls: 1, output: 2 },
      { name: "", calls: 1, input: 1, output: 1, cost: 0.5 },
    ],
    total: { calls: 2, unpriced: 0 },
    budgets: [{ token: id, name: "ci", dollars: 1, per: "day", spent: 0.5, remaining: 0.5 }],
  });
  const own = await RpcSocket.open(gateway.host, token);
  const { result: mine } = await own.respond("usage.list", { by: "token" });
  expect(mine).toMatchObject({ rows: [{ name: id, title: "ci", calls: 1 }], total: { calls: 1, cost: 0.5 } });
  const other = await RpcSocket.open(gateway.host, gateway.read);
  const { result: none } = await other.respond("usage.list", {});
  expect(none).toMatchObject({ rows: [], total: { calls: 0 }, budgets: [] });
});

test("metrics count tokens and dollars, and show what is left", async () => {
  const { gateway, token, id } = await limited(day);
  await (await chat(gateway, token, "one")).json();
  const text = await (await gateway.fetch("/metrics", { token: gateway.read })).text();
  const labels = `agent="",model="demo/echo",token="${id}"`;
  expect(text.split("\n").filter((line) => line.includes(id))).toEqual([
    `dragoman_model_calls_total{${labels}} 1`,
    `dragoman_model_cost_dollars_total{${labels}} 0.5`,
    `dragoman_model_tokens_total{agent="",kind="input",model="demo/echo",token="${id}"} 1`,
    `dragoman_model_tokens_total{agent="",kind="output",model="demo/echo",token="${id}"} 1`,
    `dragoman_budget_remaining_dollars{name="ci",per="day",token="${id}"} 0.5`,
  ]);
});

test("many requests at once exceed a budget by one call at most, once a call was counted", async () => {
  const { gateway, token } = await limited({ budget: { dollars: 2, per: "day" } });
  await (await chat(gateway, token, "one")).json();
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const response = await chat(gateway, token, "one");
      await response.text();
      return response.status;
    }),
  );
  const cost = 0.5 * (1 + statuses.filter((status) => status === 200).length);
  expect(cost).toBe(2);
  expect(statuses.filter((status) => status === 429)).toHaveLength(9);
});
