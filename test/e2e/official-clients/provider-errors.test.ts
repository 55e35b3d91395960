import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import type { ApiName } from "../../../src/dialects/registry.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
let server: Server | undefined;

afterEach(() => {
  server?.close();
});

interface Refusal {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

/** A gateway whose provider `acme` refuses every request. */
async function withProvider(api: ApiName, { status, body, headers = {} }: Refusal): Promise<void> {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await gateway().restart({
    providers: { acme: { api, baseUrl: `http://127.0.0.1:${port}`, apiKey: "the-key", maxRetries: 0 } },
    models: { "acme/m": {} },
  });
}

const messages = [{ role: "user" as const, content: "x" }];

const asks = {
  chat: () =>
    new OpenAI({
      baseURL: `${gateway().url}/v1`,
      apiKey: gateway().chat,
      maxRetries: 0,
    }).chat.completions.create({ model: "acme/m", messages, max_tokens: 9, temperature: 3 }),
  responses: () =>
    new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 }).responses.create({
      model: "acme/m",
      input: "x",
    }),
  anthropic: () =>
    new Anthropic({ baseURL: gateway().url, apiKey: gateway().chat, maxRetries: 0 }).messages.create({
      model: "acme/m",
      max_tokens: 9,
      messages,
    }),
  google: () =>
    new GoogleGenAI({
      apiKey: gateway().chat,
      httpOptions: { baseUrl: gateway().url },
    }).models.generateContent({
      model: "acme/m",
      contents: "x",
    }),
};

async function thrownBy(name: keyof typeof asks): Promise<unknown> {
  return asks[name]().then(
    () => new Error("it was not refused"),
    (error: unknown) => error,
  );
}

const openAiRefusal = (fields: object): Refusal => ({
  status: 400,
  body: { error: { message: "No.", type: "image_parse_error", param: null, code: null, ...fields } },
});

const delay = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "41.5s" };
const exhausted: Refusal = {
  status: 429,
  body: { error: { code: 429, message: "Slow.", status: "RESOURCE_EXHAUSTED", details: [delay] } },
};

describe("in the client's own API a provider's error keeps its fields", () => {
  test.each([
    ["chat", "openai-chat"],
    ["responses", "openai-responses"],
  ] as const)("OpenAI's: %s", async (name, api) => {
    await withProvider(api, openAiRefusal({ param: "messages[0].content", code: "invalid_image" }));
    expect(await thrownBy(name)).toMatchObject({
      status: 400,
      type: "image_parse_error",
      param: "messages[0].content",
      code: "invalid_image",
      message: "400 HTTP 400: No.",
    });
  });

  test("Anthropic's", async () => {
    const error = { type: "conflict_error", message: "No.", details: { error_code: "busy" } };
    await withProvider("anthropic", { status: 400, body: { type: "error", error } });
    expect(await thrownBy("anthropic")).toMatchObject({
      status: 400,
      type: "conflict_error",
      error: { error: { message: "HTTP 400: No.", details: { error_code: "busy" } } },
    });
  });

  test("Google's", async () => {
    await withProvider("google", exhausted);
    expect(await thrownBy("google")).toMatchObject({
      status: 429,
      message: JSON.stringify({
        error: { code: 429, message: "HTTP 429: Slow.", status: "RESOURCE_EXHAUSTED", details: [delay] },
      }),
    });
  });
});

describe("between the APIs of OpenAI it keeps what both have", () => {
  test("the client's own name of a setting", async () => {
    const refusal = openAiRefusal({ param: "max_output_tokens", code: "integer_below_min_value" });
    await withProvider("openai-responses", refusal);
    expect(await thrownBy("chat")).toMatchObject({
      type: "image_parse_error",
      param: "max_tokens",
      code: "integer_below_min_value",
    });
  });

  test("no place that the client's request does not have", async () => {
    await withProvider(
      "openai-responses",
      openAiRefusal({ param: "input[0].content", code: "invalid_image" }),
    );
    expect(await thrownBy("chat")).toMatchObject({ param: null, code: "invalid_image" });
  });
});

describe("between other APIs", () => {
  test("a delay in Google's details is a header", async () => {
    await withProvider("google", exhausted);
    const error = await thrownBy("chat");
    expect(error).toMatchObject({ status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" });
    expect(error instanceof OpenAI.APIError && error.headers?.get("retry-after")).toBe("42");
  });

  test("a delay in a header is one of Google's details", async () => {
    const refusal = openAiRefusal({ type: "rate_limit", code: "slow_down" });
    await withProvider("openai-chat", { ...refusal, status: 429, headers: { "retry-after": "7" } });
    expect(await thrownBy("google")).toMatchObject({
      message: JSON.stringify({
        error: {
          code: 429,
          message: "HTTP 429: No.",
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }],
        },
      }),
    });
  });
});

test("an error that repeats the gateway's key is shown without it", async () => {
  const details = { headers: { authorization: "Bearer the-key" } };
  const error = { type: "invalid_request_error", message: "No.", details };
  await withProvider("anthropic", { status: 400, body: { type: "error", error } });
  const thrown = await thrownBy("anthropic");
  expect(thrown).toMatchObject({
    error: { error: { details: { headers: { authorization: "Bearer [secret]" } } } },
  });
});
