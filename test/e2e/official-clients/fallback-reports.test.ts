import { describe, expect, test } from "vitest";
import type { Behaviour } from "../../fakes/failing-provider.js";
import type { ServedApi } from "../../fakes/strict/provider.js";
import { modelList } from "./fallback-list.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
const withList = modelList(gateway);

const paths: Record<ServedApi, (stream: boolean) => string> = {
  anthropic: () => "/v1/messages",
  "openai-chat": () => "/v1/chat/completions",
  "openai-responses": () => "/v1/responses",
  google: (stream) => `/v1beta/models/smart:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  ollama: () => "/api/chat",
};
const messages = [{ role: "user", content: "Hi" }];
const bodies: Record<ServedApi, object> = {
  anthropic: { max_tokens: 1000, messages },
  "openai-chat": { messages },
  "openai-responses": { input: "Hi", store: false },
  google: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
  ollama: { messages },
};

function ask(api: ServedApi, stream: boolean, model = "smart", more: RequestInit = {}): Promise<Response> {
  const frame = api === "google" ? {} : { model, stream };
  return gateway().fetch(paths[api](stream), {
    method: "POST",
    body: JSON.stringify({ ...frame, ...bodies[api] }),
    token: gateway().chat,
    ...more,
  });
}

const works: Behaviour = { text: "Yes." };
const overloaded: Behaviour = { error: "overload" };

describe.each<ServedApi>(["anthropic", "openai-chat", "openai-responses", "google", "ollama"])(
  "%s",
  (api) => {
    test.each([false, true])(
      "headers name the model that answered, and why; streamed: %s",
      async (stream) => {
        const [one, two] = await withList([api, overloaded], ["anthropic", works]);
        const response = await ask(api, stream);
        expect(await response.text()).toContain("Yes.");
        expect(response.headers.get("x-dragoman-model")).toBe(`two/${two.model}`);
        expect(response.headers.get("x-dragoman-fallback")).toBe(
          `[{"model":"one/${one.model}","reason":"overload"}]`,
        );
      },
    );

    test("without a failure, headers name the first model", async () => {
      const [one] = await withList([api, works], ["anthropic", works]);
      const { headers } = await ask(api, true);
      expect(headers.get("x-dragoman-model")).toBe(`one/${one.model}`);
      expect(headers.get("x-dragoman-fallback")).toBeNull();
    });
  },
);

test("an error response names the models that failed before", async () => {
  const [one] = await withList(["anthropic", overloaded], ["openai-chat", { error: "rateLimit" }]);
  const response = await ask("anthropic", false);
  expect(response.status).toBe(429);
  expect(response.headers.get("x-dragoman-fallback")).toBe(
    `[{"model":"one/${one.model}","reason":"overload"}]`,
  );
});

test("/metrics and the log count fallbacks by models and reason", async () => {
  const [one, two] = await withList(["anthropic", { error: "rateLimit" }], ["openai-chat", works]);
  await (await ask("anthropic", false)).text();
  await (await ask("anthropic", true)).text();
  expect(await (await gateway().fetch("/metrics")).text()).toContain(
    `dragoman_fallbacks_total{from="one/${one.model}",reason="rateLimit",to="two/${two.model}"} 2\n`,
  );
  expect(JSON.parse(await gateway().untilNoted("the next model in its list is asked"))).toEqual({
    from: `one/${one.model}`,
    to: `two/${two.model}`,
    reason: "rateLimit",
    text: "a model failed; the next model in its list is asked",
  });
});

test("a model is retried before the next one is asked", async () => {
  const soon = { "retry-after-ms": "1" };
  const [one, two] = await withList(["anthropic", { error: "overload", headers: soon }], ["google", works], {
    maxRetries: 2,
  });
  expect(await (await ask("anthropic", false)).text()).toContain("Yes.");
  expect({ one: one.asked, two: two.asked }).toEqual({ one: 3, two: 1 });
});

test("conditions decide which model is asked", async () => {
  const list = (on: "overload" | "context") => ({
    config: { aliases: { smart: { models: ["one/claude-opus-4-6", { model: "two/gpt-5.5", on: [on] }] } } },
  });
  const [, unasked] = await withList(["anthropic", overloaded], ["openai-chat", works], list("context"));
  expect((await ask("anthropic", false)).status).toBe(529);
  expect(unasked.asked).toBe(0);
  await withList(["anthropic", overloaded], ["openai-chat", works], list("overload"));
  expect((await ask("anthropic", false)).status).toBe(200);
});

test("a refusal of the request itself moves to no other model", async () => {
  const [one, two] = await withList(["anthropic", works], ["openai-chat", works]);
  const response = await ask("anthropic", false, "smart", {
    body: JSON.stringify({ model: "smart", max_tokens: 10, messages: [{ role: "nobody", content: "Hi" }] }),
  });
  expect(response.status).toBe(400);
  expect({ refused: one.refused.length, two: two.asked }).toEqual({ refused: 1, two: 0 });
});

test("a model that the request cannot be written for is passed over", async () => {
  const [one, two] = await withList(["openai-chat", overloaded], ["anthropic", works]);
  const response = await ask("openai-chat", false, "smart", {
    body: JSON.stringify({ model: "smart", messages, n: 2 }),
  });
  expect(response.status).toBe(503);
  expect({ one: one.asked, two: two.asked }).toEqual({ one: 1, two: 0 });
  expect(await gateway().untilNoted("a model cannot be sent the request")).toContain(`two/${two.model}`);
});

test("what the second model's API lacks is reported as a loss", async () => {
  await withList(["openai-chat", overloaded], ["anthropic", works]);
  const response = await ask("openai-chat", false, "smart", {
    body: JSON.stringify({ model: "smart", messages, seed: 7 }),
  });
  expect(response.headers.get("x-dragoman-losses")).toContain('"at":"/seed"');
});

test("keep-alives of a long wait are not the beginning of an answer", async () => {
  const soon = { "retry-after-ms": "300" };
  const [one, two] = await withList(
    ["anthropic", { error: "overload", headers: soon }],
    ["openai-chat", works],
    {
      maxRetries: 1,
      silenceMs: 50,
    },
  );
  const response = await ask("anthropic", true);
  const text = await response.text();
  expect(text).toMatch(/^event: ping\n/);
  expect(text.match(/event: message_start/g)).toHaveLength(1);
  expect(text).toContain("Yes.");
  // The model was not known when the headers were sent.
  expect(response.headers.get("x-dragoman-model")).toBeNull();
  expect(JSON.parse(await gateway().untilNoted("sent before they were known"))).toMatchObject({
    missing: { "x-dragoman-model": `two/${two.model}` },
  });
  expect({ one: one.asked, two: two.asked }).toEqual({ one: 2, two: 1 });
});

test("a client that leaves asks no other model", async () => {
  const wait = { "retry-after": "30" };
  const [one, two] = await withList(
    ["anthropic", { error: "overload", headers: wait }],
    ["openai-chat", works],
    {
      maxRetries: 1,
    },
  );
  const leaving = new AbortController();
  const answer = ask("anthropic", true, "smart", { signal: leaving.signal });
  while (one.asked === 0) await new Promise((resolve) => setImmediate(resolve));
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await gateway().stop();
  expect({ one: one.asked, two: two.asked }).toEqual({ one: 1, two: 0 });
});

describe("agents", () => {
  const config = { agents: { main: { model: "smart" } } };

  test.each([false, true])("the answer and its headers name the model; streamed: %s", async (stream) => {
    const [one, two] = await withList(["openai-chat", overloaded], ["anthropic", works], {
      config: withSmart(),
    });
    const response = await ask("openai-chat", stream, "agent/main");
    expect(await response.text()).toContain("Yes.");
    expect(response.headers.get("x-dragoman-model")).toBe(`two/${two.model}`);
    expect(response.headers.get("x-dragoman-fallback")).toBe(
      `[{"model":"one/${one.model}","reason":"overload"}]`,
    );
    const session = response.headers.get("x-dragoman-session") ?? "";
    const stored = await (await gateway().runtime.open(session)).messages();
    expect(stored.at(-1)).toMatchObject({
      role: "assistant",
      provider: "two",
      model: two.model,
      ext: { fallbacks: [{ model: `one/${one.model}`, reason: "overload" }] },
    });
  });

  function withSmart() {
    return { ...config, aliases: { smart: { models: ["one/gpt-5.5", "two/claude-opus-4-6"] } } };
  }
});

test("lists of models show the list with its members", async () => {
  await withList(["anthropic", works], ["openai-chat", works]);
  const response = await gateway().fetch("/v1/models/smart", {
    headers: { "anthropic-version": "2023-06-01" },
    token: gateway().chat,
  });
  expect(await response.json()).toMatchObject({
    id: "smart",
    display_name: "smart (one/claude-opus-4-6, two/gpt-5.5)",
  });
});

test.each([false, true])(
  "a model whose context window is too small is not asked; streamed: %s",
  async (stream) => {
    const [one, two] = await withList(["anthropic", works], ["openai-chat", works], {
      config: { models: { "one/claude-opus-4-6": { contextWindow: 100 } } },
    });
    const long = [{ role: "user", content: "word ".repeat(100) }];
    const response = await ask("anthropic", stream, "smart", {
      body: JSON.stringify({ model: "smart", stream, max_tokens: 1000, messages: long }),
    });
    expect(await response.text()).toContain("Yes.");
    expect(response.headers.get("x-dragoman-fallback")).toBe(
      `[{"model":"one/${one.model}","reason":"context"}]`,
    );
    expect({ one: one.asked, two: two.asked }).toEqual({ one: 0, two: 1 });
    expect((await (await ask("anthropic", stream)).text()).length).toBeGreaterThan(0);
    expect({ one: one.asked, two: two.asked }).toEqual({ one: 1, two: 1 });
  },
);
