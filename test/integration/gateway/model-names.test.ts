import { describe, expect, test } from "vitest";
import { modelProtocols } from "../../../src/gateway/models/protocols.js";
import type { Config } from "../../../src/runtime/schema.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";

const STARTED = Date.UTC(2026, 10, 16, 12);

/** What the world outside is asked; lists are answered, and a call is refused in words that are passed on. */
function outside(lists: Readonly<Record<string, unknown>> = {}) {
  const asked: { url: string; model: unknown }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (init.method !== "POST") {
      const list = lists[url];
      if (list === undefined) throw new TypeError("fetch failed");
      return Response.json(list);
    }
    asked.push({ url, model: JSON.parse(String(init.body))["model"] });
    return Response.json({ error: { message: "reached" } }, { status: 400 });
  };
  return { asked, fetch };
}

async function open(config: Config, env: Record<string, string> = {}, lists?: Record<string, unknown>) {
  const { asked, fetch } = outside(lists);
  const models = { fetch, world: { env: (name: string) => env[name] } };
  const gateway = await testGateway([(given) => modelProtocols(given)], {
    config,
    models,
    now: () => STARTED,
  });
  return { gateway, asked };
}

function post(gateway: TestGateway, path: string, body: object, token?: string): Promise<Response> {
  return gateway.fetch(path, {
    method: "POST",
    body: JSON.stringify(body),
    ...(token === undefined ? {} : { token }),
  });
}

const messages = [{ role: "user", content: "Hi" }];
const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
const keys = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" };

describe("a bare name is of the API's own provider", () => {
  test.each([
    [
      "/v1/messages",
      { model: "claude-opus-4-8", max_tokens: 9, messages },
      "https://api.anthropic.com/v1/messages",
      "claude-opus-4-8",
    ],
    [
      "/v1/messages",
      { model: "claude-opus-4-8[1m]", max_tokens: 9, messages },
      "https://api.anthropic.com/v1/messages",
      "claude-opus-4-8",
    ],
    [
      "/v1/messages",
      { model: "anthropic/claude-opus-4-8[1m]", max_tokens: 9, messages },
      "https://api.anthropic.com/v1/messages",
      "claude-opus-4-8",
    ],
    ["/v1/chat/completions", { model: "gpt-4o", messages }, "https://api.openai.com/v1/responses", "gpt-4o"],
    ["/v1/responses", { model: "gpt-4o", input: "Hi" }, "https://api.openai.com/v1/responses", "gpt-4o"],
    ["/api/chat", { model: "llama3:8b", messages }, "http://127.0.0.1:11434/api/chat", "llama3:8b"],
    [
      "/api/chat",
      { model: "hf.co/some/model:Q4", messages },
      "http://127.0.0.1:11434/api/chat",
      "hf.co/some/model:Q4",
    ],
  ])("%s %j", async (path, body, url, model) => {
    const { gateway, asked } = await open({}, keys);
    const response = await post(gateway, path, body);
    expect([response.status, asked]).toEqual([400, [{ url, model }]]);
  });

  test.each([
    "/v1beta/models/gemini-3.5-flash:generateContent",
    "/v1/models/gemini-3.5-flash:generateContent",
    "/v1beta/google/gemini-3.5-flash:generateContent",
    "/v1/google/gemini-3.5-flash:generateContent",
    "/v1beta/models/google/gemini-3.5-flash:generateContent",
  ])("%s", async (path) => {
    const { gateway, asked } = await open({}, keys);
    await post(gateway, path, { contents });
    expect(asked.map(({ url }) => url)).toEqual([
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse",
    ]);
  });

  test("or of the one that the operator chose, which then also has names with a slash", async () => {
    const config = { gateway: { defaultProviders: { "openai-chat": "openrouter" } } };
    const { gateway, asked } = await open(config, { ...keys, OPENROUTER_API_KEY: "k" });
    for (const model of ["auto", "qwen/qwen3", "openai/gpt-4o"]) {
      await post(gateway, "/v1/chat/completions", { model, messages });
    }
    expect(asked).toEqual([
      { url: "https://openrouter.ai/api/v1/chat/completions", model: "auto" },
      { url: "https://openrouter.ai/api/v1/chat/completions", model: "qwen/qwen3" },
      { url: "https://api.openai.com/v1/responses", model: "gpt-4o" },
    ]);
  });
});

describe("aliases", () => {
  const aliases = {
    fast: "groq/llama-3.3-70b-versatile",
    "claude-opus-4-8": "demo/echo",
    "gpt-4o": "agent/main",
  };

  test("name a model that clients have built in", async () => {
    const { gateway } = await open({ aliases });
    const body = { model: "claude-opus-4-8[1m]", max_tokens: 9, messages };
    const answer = await (await post(gateway, "/v1/messages", body, gateway.chat)).json();
    expect(answer).toMatchObject({ model: "claude-opus-4-8[1m]", content: [{ type: "text", text: "Hi" }] });
  });

  test("name an agent", async () => {
    const { gateway } = await open({ aliases });
    const response = await post(gateway, "/v1/chat/completions", { model: "gpt-4o", messages }, gateway.chat);
    expect(response.headers.get("x-dragoman-session")).toMatch(/^[0-9A-Z]{26}$/);
    expect(await response.json()).toMatchObject({
      model: "gpt-4o",
      choices: [{ message: { content: "Hi" } }],
    });
  });

  test("are offered to every token, and agents can run on them", async () => {
    const { gateway, asked } = await open({ aliases, model: "fast" }, { GROQ_API_KEY: "k" });
    await post(gateway, "/v1/chat/completions", { model: "fast", messages }, gateway.chat);
    await post(gateway, "/v1/chat/completions", { model: "agent/main", messages }, gateway.chat);
    const url = "https://api.groq.com/openai/v1/chat/completions";
    expect(asked).toEqual([
      { url, model: "llama-3.3-70b-versatile" },
      { url, model: "llama-3.3-70b-versatile" },
    ]);
  });
});

describe("a name that cannot be used is 404, with what to write", () => {
  test.each([
    [
      "/v1/messages",
      { model: "gpt-4o", max_tokens: 9, messages },
      'there is no model "gpt-4o": it means anthropic/gpt-4o here, and there is no API key for anthropic; write openai/gpt-4o, or add "gpt-4o" to "aliases" in the configuration',
    ],
    [
      "/v1/messages",
      { model: "claude-opus-4-8", max_tokens: 9, messages },
      'there is no model "claude-opus-4-8": it means anthropic/claude-opus-4-8 here, and there is no API key for anthropic; give the gateway that key, or add "claude-opus-4-8" to "aliases" in the configuration',
    ],
    [
      "/v1/chat/completions",
      { model: "whatever", messages },
      'there is no model "whatever": it means openai/whatever here, and there is no API key for openai; write provider/model, such as demo/echo, or add "whatever" to "aliases" in the configuration',
    ],
  ])("%s %j", async (path, body, message) => {
    const { gateway } = await open({});
    const response = await post(gateway, path, body);
    expect([response.status, (await response.json()).error.message]).toEqual([404, message]);
  });

  test("of a provider that does not exist", async () => {
    const { gateway } = await open({});
    const response = await post(gateway, "/v1/chat/completions", { model: "acme/m", messages });
    expect(response.status).toBe(404);
    expect((await response.json()).error.message).toMatch(
      /^there is no provider "acme"; known providers are anthropic, /,
    );
  });

  test("paths that are not Google's are refused as before", async () => {
    const { gateway } = await open({});
    expect((await post(gateway, "/v1/moderations", {})).status).toBe(404);
    expect((await gateway.fetch("/v1/moderations")).status).toBe(404);
  });
});

describe("the lists", () => {
  const config: Config = {
    agents: { main: { description: "Helps." } },
    aliases: { fast: "groq/llama-3.3-70b-versatile", "gpt-4o": "agent/main" },
    models: { "acme/own": { contextWindow: 5000 } },
  };
  const env = { GEMINI_API_KEY: "k", GROQ_API_KEY: "k" };
  const lists = {
    "https://api.groq.com/openai/v1/models": {
      object: "list",
      data: [{ id: "llama-3.3-70b-versatile", created: 1_733_447_754, context_window: 131_072 }],
    },
    "http://127.0.0.1:11434/api/tags": {
      models: [{ name: "qwen3:8b", model: "qwen3:8b", modified_at: "2026-01-02T03:04:05Z" }],
    },
    "http://127.0.0.1:8000/v1/models": {
      data: [{ id: "local", created: 1_760_000_000, max_model_len: 4096 }],
    },
  };
  const gemini = [
    "google/gemini-3.8-flash",
    "google/gemini-3.5-flash",
    "google/gemini-3.1-pro-preview",
    "google/gemini-3.1-flash-lite",
    "google/gemini-3-flash-preview",
    "google/gemini-2.5-pro",
    "google/gemini-2.5-flash",
    "google/gemini-2.5-flash-lite",
  ];
  const all = [
    "agent/main",
    "fast",
    "gpt-4o",
    "demo/echo",
    "acme/own",
    "groq/llama-3.3-70b-versatile",
    "demo/tools",
    "demo/script",
    ...gemini,
    "ollama/qwen3:8b",
    "vllm/local",
  ];

  const ids = async (gateway: TestGateway, path: string, init: Parameters<TestGateway["fetch"]>[1] = {}) =>
    (await gateway.fetch(path, init)).json();

  test("show an admin every model that can be used, in each API", async () => {
    const { gateway } = await open(config, env, lists);
    const openai = await ids(gateway, "/v1/models");
    expect(openai.data.map(({ id }: { id: string }) => id).sort()).toEqual([...all].sort());
    const anthropic = await ids(gateway, "/v1/models", { headers: { "anthropic-version": "2023-06-01" } });
    expect(anthropic.data.map(({ id }: { id: string }) => id).sort()).toEqual([...all].sort());
    const google = await ids(gateway, "/v1beta/models");
    const asGoogle = all.map((id) => `models/${id}`).sort();
    expect(google.models.map(({ name }: { name: string }) => name).sort()).toEqual(asGoogle);
    const v1 = await ids(gateway, "/v1/models", { headers: { "x-goog-api-client": "genai" } });
    expect(v1.models.map(({ name }: { name: string }) => name).sort()).toEqual(asGoogle);
    const ollama = await ids(gateway, "/api/tags");
    expect(ollama.models.map(({ name }: { name: string }) => name).sort()).toEqual([...all].sort());
  });

  test("show others what they are offered", async () => {
    const { gateway } = await open(config, env, lists);
    const { data } = await ids(gateway, "/v1/models", { token: gateway.chat });
    expect(data.map(({ id }: { id: string }) => id)).toEqual([
      "agent/main",
      "fast",
      "gpt-4o",
      "demo/echo",
      "acme/own",
      "groq/llama-3.3-70b-versatile",
      "demo/tools",
      "demo/script",
    ]);
  });

  test("have dates: the release, the provider's own, or the start of the gateway", async () => {
    const { gateway } = await open(config, env, lists);
    const { data } = await ids(gateway, "/v1/models");
    const created = Object.fromEntries(
      data.map((model: { id: string; created: number }) => [
        model.id,
        new Date(model.created * 1000).toISOString(),
      ]),
    );
    expect(created).toMatchObject({
      "google/gemini-2.5-pro": "2025-06-17T00:00:00.000Z",
      "ollama/qwen3:8b": "2026-01-02T03:04:05.000Z",
      "vllm/local": "2025-10-09T08:53:20.000Z",
      "agent/main": "2026-11-16T12:00:00.000Z",
      "demo/echo": "2026-11-16T12:00:00.000Z",
    });
    const { created_at } = await ids(gateway, "/v1/models/gemini-2.5-pro", {
      headers: { "x-goog-api-key": gateway.admin },
    }).then(() =>
      ids(gateway, "/v1/models/google/gemini-2.5-pro", { headers: { "anthropic-version": "2023-06-01" } }),
    );
    expect(created_at).toBe("2025-06-17T00:00:00.000Z");
  });

  test("show one model by every name that a call may use", async () => {
    const { gateway } = await open(config, { ...env, ANTHROPIC_API_KEY: "k" }, lists);
    const headers = { "anthropic-version": "2023-06-01" };
    expect(await ids(gateway, "/v1/models/claude-opus-4-8", { headers })).toEqual({
      type: "model",
      id: "claude-opus-4-8",
      display_name: "anthropic/claude-opus-4-8",
      created_at: "2026-05-28T00:00:00.000Z",
    });
    expect((await gateway.fetch("/v1/models/nothing", { headers, token: gateway.chat })).status).toBe(404);
  });

  test("do without the providers' own when the operator says so", async () => {
    const { gateway } = await open({ ...config, gateway: { discover: false } }, env, lists);
    const { data } = await ids(gateway, "/v1/models");
    expect(data.map(({ id }: { id: string }) => id)).not.toContain("vllm/local");
  });
});
