import Anthropic, {
  AuthenticationError as AnthropicAuthentication,
  PermissionDeniedError as AnthropicPermission,
} from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI, { AuthenticationError, NotFoundError, PermissionDeniedError, RateLimitError } from "openai";
import { describe, expect, test } from "vitest";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();

const openai = (apiKey: string) => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey, maxRetries: 0 });
const anthropic = (apiKey: string) => new Anthropic({ baseURL: gateway().url, apiKey, maxRetries: 0 });
const messages = [{ role: "user" as const, content: "x" }];

const asks = {
  chat: (key: string) => openai(key).chat.completions.create({ model: "demo/echo", messages }),
  responses: (key: string) => openai(key).responses.create({ model: "demo/echo", input: "x" }),
  anthropic: (key: string) => anthropic(key).messages.create({ model: "demo/echo", max_tokens: 9, messages }),
  google: (key: string) =>
    new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway().url } }).models.generateContent({
      model: "demo/echo",
      contents: "x",
    }),
  ollama: (key: string) =>
    new Ollama({ host: gateway().url, headers: { authorization: `Bearer ${key}` } }).chat({
      model: "demo/echo",
      messages,
    }),
};

/** What a client throws, and everything that can be seen of it. */
async function thrown(asking: Promise<unknown>): Promise<Error & { seen: string }> {
  const error = await asking.then(
    () => new Error("it was not refused"),
    (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
  );
  return Object.assign(error, { seen: `${error.stack} ${JSON.stringify(error)}` });
}

const WRONG = `dgm_${"A".repeat(43)}`;
const NEEDED = "missing or unknown token: send it as `Authorization: Bearer TOKEN`";
const SCOPE = "this needs a token with scope chat";

const googleMessage = (code: number, status: string, message: string) =>
  JSON.stringify({ error: { code, message, status } });

describe("a wrong key", () => {
  test.each([
    ["chat", AuthenticationError, { message: `401 ${NEEDED}`, code: "invalid_api_key" }],
    ["responses", AuthenticationError, { message: `401 ${NEEDED}`, code: "invalid_api_key" }],
    [
      "anthropic",
      AnthropicAuthentication,
      { type: "authentication_error", requestID: expect.stringMatching(/^[0-9A-Z]{26}$/) },
    ],
    ["google", ApiError, { status: 401, message: googleMessage(401, "UNAUTHENTICATED", NEEDED) }],
    ["ollama", Error, { status_code: 401, message: NEEDED }],
  ] as const)("is what %s takes it for, and is not said back", async (name, type, fields) => {
    const error = await thrown(asks[name](WRONG));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject(fields);
    expect(error.seen).toContain("missing or unknown token");
    expect(error.seen).not.toContain(WRONG);
  });

  test("of a list of models is one to OpenAI's and to Anthropic's client", async () => {
    expect(await thrown(openai(WRONG).models.list())).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(await thrown(anthropic(WRONG).models.list())).toMatchObject({ type: "authentication_error" });
  });

  test.each(["chat", "anthropic"] as const)("tried too often waits: %s", async (name) => {
    for (let guess = 1; guess <= 6; guess++) await thrown(asks[name](`${WRONG.slice(0, -1)}${guess}`));
    expect(await thrown(asks[name](`${WRONG.slice(0, -1)}7`))).toMatchObject({
      status: 429,
      message: expect.stringContaining("too many wrong tokens from this address"),
    });
  });
});

describe("a key that may only read", () => {
  test.each([
    ["chat", PermissionDeniedError, { message: `403 ${SCOPE}`, type: "permission_error" }],
    ["responses", PermissionDeniedError, { message: `403 ${SCOPE}`, type: "permission_error" }],
    ["anthropic", AnthropicPermission, { type: "permission_error" }],
    ["google", ApiError, { status: 403, message: googleMessage(403, "PERMISSION_DENIED", SCOPE) }],
    ["ollama", Error, { status_code: 403, message: SCOPE }],
  ] as const)("is what %s takes it for, and is not said back", async (name, type, fields) => {
    const { read } = gateway();
    const error = await thrown(asks[name](read));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject(fields);
    expect(error.seen).toContain(SCOPE);
    expect(error.seen).not.toContain(read);
  });

  test("lists models", async () => {
    const { data } = await openai(gateway().read).models.list();
    expect(data.map(({ id }) => id)).toContain("agent/main");
  });
});

test("more than the limit is a rate limit to the client, with when to come back", async () => {
  await gateway().restart({ gateway: { limits: { requestsPerMinute: 1 } } });
  await asks.chat(gateway().chat);
  const error = await thrown(asks.chat(gateway().chat));
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ code: "rate_limit_exceeded" });
  expect(error instanceof RateLimitError && error.headers.get("retry-after")).toBe("60");
});

test("what this gateway does not have is not found, in OpenAI's words", async () => {
  const error = await thrown(openai(gateway().chat).moderations.create({ model: "demo/echo", input: "x" }));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.message).toBe("404 there is nothing at this address");
});

test("who has no key learns from no answer what there is", async () => {
  const seen = async (path: string, method: string) => {
    const headers = { "x-request-id": "r" };
    const response = await gateway().fetch(path, { method, headers, token: null });
    const { date: _, ...rest } = Object.fromEntries(response.headers);
    return { status: response.status, headers: rest, body: await response.text() };
  };
  const neighbours = [
    ["/v1/chat/completions", "/v1/chat/nothing", "/v1/chat"],
    ["/v1/embeddings", "/v1/embeddings/nothing"],
    ["/v1/responses", "/v1/responses/x/cancel", "/v1/responses/x/nothing"],
    ["/v1/messages", "/v1/messages/count_tokens", "/v1/messages/nothing"],
    ["/v1/models", "/v1/models/agent/main", "/v1/nothing", "/v1"],
    ["/v1beta/models", "/v1beta/models/demo/echo:embedContent", "/v1beta/nothing"],
    ["/api/chat", "/api/generate", "/api/embed", "/api/ps", "/api/nothing", "/api"],
  ];
  for (const paths of neighbours) {
    const answers = [];
    for (const path of paths) for (const method of ["GET", "POST"]) answers.push(await seen(path, method));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  }
});
