import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import type { ApiName } from "../../../src/dialects/registry.js";
import {
  EMBEDDING_KEY,
  type EmbeddingProvider,
  type EmbeddingServer,
  embeddingProvider,
} from "../../fakes/embedding-provider.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
let upstream: EmbeddingProvider | undefined;

afterEach(async () => {
  await upstream?.close();
  upstream = undefined;
});

const servers: Record<EmbeddingServer, ApiName> = {
  openai: "openai-responses",
  "openai-floats": "openai-chat",
  google: "google",
  ollama: "ollama",
};

/** A gateway whose provider `acme` embeds in this API. */
async function withProvider(server: EmbeddingServer): Promise<EmbeddingProvider> {
  upstream = await embeddingProvider(server);
  const { baseUrl } = upstream;
  await gateway().restart({
    providers: { acme: { baseUrl, apiKey: EMBEDDING_KEY, api: servers[server], maxRetries: 0 } },
    models: { "acme/embedder": {}, "anthropic/claude-opus-4-8": {}, "bedrock/amazon.nova-pro-v1:0": {} },
  });
  return upstream;
}

function openai(): OpenAI {
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
}

function google(): GoogleGenAI {
  return new GoogleGenAI({ apiKey: gateway().chat, httpOptions: { baseUrl: gateway().url } });
}

function ollama(): Ollama {
  return new Ollama({ host: gateway().url, headers: { authorization: `Bearer ${gateway().chat}` } });
}

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return gateway().fetch(path, {
    method: "POST",
    token: gateway().chat,
    headers,
    body: JSON.stringify(body),
  });
}

function lossesIn(response: Response): { at: string; what: string; severity: string }[] {
  return JSON.parse(response.headers.get("x-dragoman-losses") ?? "[]");
}

/** What `demo/echo` makes of "Hi" in four dimensions. */
const HI = [0, 0, 0.7071067690849304, -0.7071067690849304];

describe("the demo model", () => {
  test("answers OpenAI's client, which asks for base64", async () => {
    const answer = await openai().embeddings.create({ model: "demo/echo", input: "Hi", dimensions: 4 });
    expect(answer).toEqual({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: HI }],
      model: "demo/echo",
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
  });

  test("answers with numbers where they are asked for", async () => {
    const request = { model: "demo/echo", input: ["Hi", "Hi there"], dimensions: 4 };
    const { data, usage } = await openai().embeddings.create({ ...request, encoding_format: "float" });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([4, 4]);
    expect(data[0]?.embedding).toEqual(HI);
    expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  });

  test("answers Google's client", async () => {
    const { embeddings } = await google().models.embedContent({
      model: "demo/echo",
      contents: ["Hi", "there"],
      config: { outputDimensionality: 4 },
    });
    expect(embeddings).toHaveLength(2);
    expect(embeddings?.[0]).toEqual({ values: HI });
  });

  test("answers Ollama's client, in both of its endpoints", async () => {
    expect(await ollama().embed({ model: "demo/echo", input: ["Hi"], dimensions: 4 })).toEqual({
      model: "demo/echo",
      embeddings: [HI],
      prompt_eval_count: 1,
    });
    const { embedding } = await ollama().embeddings({ model: "demo/echo", prompt: "Hi" });
    expect(embedding).toHaveLength(256);
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
  });

  test.each([
    [{ input: "" }, { model: "demo/echo", embeddings: [] }],
    [{ input: [] }, { model: "demo/echo", embeddings: [] }],
    [{}, { model: "demo/echo", embeddings: [] }],
  ])("%j of Ollama's client only loads it", async (more, expected) => {
    const response = await post("/api/embed", { model: "demo/echo", ...more });
    expect(await response.json()).toEqual(expected);
  });
});

describe("a provider with the client's own API gets the request as it came", () => {
  test("from OpenAI's client", async () => {
    const { requests, refusals } = await withProvider("openai");
    const client = openai();
    const { data, model, usage } = await client.embeddings.create(
      { model: "acme/embedder", input: ["ab", "cde"], dimensions: 3, user: "u1" },
      { headers: { "openai-beta": "x=1", cookie: "a=b" } },
    );
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [2, 0, 0],
      [3, 1, 0],
    ]);
    expect([model, usage]).toEqual(["acme/embedder", { prompt_tokens: 7, total_tokens: 7 }]);
    expect(refusals).toEqual([]);
    expect(requests.map(({ body }) => body)).toEqual([
      { model: "embedder", input: ["ab", "cde"], dimensions: 3, user: "u1", encoding_format: "base64" },
    ]);
    expect(requests[0]?.headers).toMatchObject({ "openai-beta": "x=1" });
    expect(requests[0]?.headers).not.toHaveProperty("cookie");
  });

  test("also tokens instead of texts", async () => {
    const { requests } = await withProvider("openai");
    await openai().embeddings.create({ model: "acme/embedder", input: [[1, 2], [3]] });
    expect(requests[0]?.body["input"]).toEqual([[1, 2], [3]]);
  });

  test("from Google's client, with and without models/ in the path", async () => {
    const { requests } = await withProvider("google");
    const { embeddings } = await google().models.embedContent({
      model: "acme/embedder",
      contents: ["ab", "cde"],
      config: { taskType: "RETRIEVAL_DOCUMENT", title: "T", outputDimensionality: 3 },
    });
    expect(embeddings).toEqual([{ values: [2, 0, 0] }, { values: [3, 1, 0] }]);
    const one = { model: "models/acme/embedder", content: { parts: [{ text: "ab" }] } };
    for (const path of ["/v1beta/acme/embedder:embedContent", "/v1/models/acme/embedder:embedContent"]) {
      const response = await post(path, one);
      expect(await response.json()).toEqual({
        embedding: { values: [2, 0, 0, 0] },
        usageMetadata: { promptTokenCount: 7 },
      });
    }
    const settings = { taskType: "RETRIEVAL_DOCUMENT", title: "T", outputDimensionality: 3 };
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      [
        "/v1beta/models/embedder:batchEmbedContents",
        {
          requests: [
            { model: "models/embedder", content: { role: "user", parts: [{ text: "ab" }] }, ...settings },
            { model: "models/embedder", content: { role: "user", parts: [{ text: "cde" }] }, ...settings },
          ],
        },
      ],
      ["/v1beta/models/embedder:embedContent", { ...one, model: "models/embedder" }],
      ["/v1beta/models/embedder:embedContent", { ...one, model: "models/embedder" }],
    ]);
  });

  test("from Ollama's client", async () => {
    const { requests } = await withProvider("ollama");
    const request = { input: ["ab", "cde"], truncate: false, keep_alive: "5m", options: { num_ctx: 512 } };
    expect(await ollama().embed({ model: "acme/embedder", ...request })).toEqual({
      model: "acme/embedder",
      embeddings: [
        [2, 0, 0, 0],
        [3, 1, 0, 0],
      ],
      total_duration: 14,
      load_duration: 1,
      prompt_eval_count: 7,
    });
    expect(await ollama().embeddings({ model: "acme/embedder", prompt: "abcd" })).toEqual({
      embedding: [4, 0, 0, 0],
    });
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      ["/api/embed", { model: "embedder", ...request }],
      ["/api/embeddings", { model: "embedder", prompt: "abcd" }],
    ]);
  });

  test("and base64 is made here if the provider sends numbers", async () => {
    await withProvider("openai-floats");
    const { data } = await openai().embeddings.create({ model: "acme/embedder", input: "abcde" });
    expect(data[0]?.embedding).toEqual([5, 0, 0, 0]);
  });
});

const texts = ["ab", "cde"];
const vectors = [
  [2, 0, 0],
  [3, 1, 0],
];

const clients: Record<string, () => Promise<unknown>> = {
  openai: async () => {
    const asked = { model: "acme/embedder", input: texts, dimensions: 3 };
    const { data, usage } = await openai().embeddings.create(asked);
    expect(usage).toEqual({ prompt_tokens: 7, total_tokens: 7 });
    return data.map(({ embedding }) => embedding);
  },
  google: async () => {
    const asked = { model: "acme/embedder", contents: texts, config: { outputDimensionality: 3 } };
    const { embeddings = [] } = await google().models.embedContent(asked);
    return embeddings.map(({ values }) => values);
  },
  ollama: async () => {
    const answer = await ollama().embed({ model: "acme/embedder", input: texts, dimensions: 3 });
    expect(answer.prompt_eval_count).toBe(7);
    return answer.embeddings;
  },
};

const sent: Record<string, unknown> = {
  openai: { model: "embedder", input: texts, dimensions: 3 },
  google: {
    requests: texts.map((text) => ({
      model: "models/embedder",
      content: { parts: [{ text }] },
      outputDimensionality: 3,
    })),
  },
  ollama: { model: "embedder", input: texts, dimensions: 3 },
};

describe("a provider with another API gets what both have", () => {
  const pairs = Object.keys(clients).flatMap((client) =>
    (["openai", "google", "ollama"] as const)
      .filter((server) => server !== client)
      .map((server) => ({ client, server })),
  );

  test.each(pairs)("from the client of $client to $server", async ({ client, server }) => {
    const { requests, refusals } = await withProvider(server);
    expect(await clients[client]?.()).toEqual(vectors);
    expect(refusals).toEqual([]);
    expect(requests.map(({ body }) => body)).toEqual([sent[server]]);
  });

  test("in as many requests as it needs", async () => {
    const { requests, refusals } = await withProvider("google");
    const input = Array.from({ length: 201 }, (_, index) => "x".repeat((index % 9) + 1));
    const { data, usage } = await openai().embeddings.create({
      model: "acme/embedder",
      input,
      dimensions: 1,
    });
    expect(data.map(({ embedding }) => embedding[0])).toEqual(input.map(({ length }) => length));
    expect(usage.prompt_tokens).toBe(21);
    expect(requests).toHaveLength(3);
    expect(refusals).toEqual([]);
  });

  test("and the client is told what was left out", async () => {
    await withProvider("openai");
    const request = { taskType: "RETRIEVAL_DOCUMENT", title: "T", content: { parts: [{ text: "ab" }] } };
    const one = await post("/v1beta/models/acme/embedder:embedContent", request);
    expect(await one.json()).toEqual({
      embedding: { values: [2, 0, 0, 0] },
      usageMetadata: { promptTokenCount: 7 },
    });
    const why = "it is not translated from google to other APIs";
    expect(lossesIn(one)).toEqual([
      { at: "/taskType", what: "taskType", why, severity: "dropped" },
      { at: "/title", what: "title", why, severity: "dropped" },
    ]);
    const batch = await post("/v1beta/models/acme/embedder:batchEmbedContents", {
      requests: [request, { ...request, title: undefined }],
    });
    expect(lossesIn(batch)).toEqual([
      { at: "/requests/0/taskType", what: "taskType of 2 requests", why, severity: "dropped" },
      { at: "/requests/0/title", what: "title", why, severity: "dropped" },
    ]);
  });

  test("a field of Ollama's or OpenAI's that the other does not have is a loss too", async () => {
    await withProvider("openai");
    const fromOllama = await post("/api/embed", {
      model: "acme/embedder",
      input: "ab",
      truncate: false,
      keep_alive: "5m",
    });
    expect(lossesIn(fromOllama).map(({ at }) => at)).toEqual(["/truncate", "/keep_alive"]);
    await upstream?.close();
    await withProvider("ollama");
    const fromOpenai = await post("/v1/embeddings", { model: "acme/embedder", input: "ab", user: "u" });
    expect(lossesIn(fromOpenai).map(({ at }) => at)).toEqual(["/user"]);
  });
});

describe("refusals", () => {
  test.each([
    [[1, 2, 3], "input[0]"],
    [["ab", [1, 2]], "input[1]"],
    [["ab", ""], "input[1]"],
    [[], "input"],
    [7, "input"],
  ])("input %j for another API", async (input, param) => {
    const { requests } = await withProvider("google");
    const response = await post("/v1/embeddings", { model: "acme/embedder", input });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error", param } });
    expect(requests).toEqual([]);
  });

  test.each([
    ["/v1/embeddings", { input: "ab", dimensions: "many" }, "/dimensions"],
    ["/v1/embeddings", { input: "ab", encoding_format: "hex" }, "/encoding_format"],
    ["/api/embed", { input: [1] }, "/input/0"],
    ["/api/embeddings", { prompt: ["ab"] }, "/prompt"],
  ])("%s with %j, with the place", async (path, body, at) => {
    const response = await post(path, { model: "demo/echo", ...body });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`(at ${at})`);
  });

  test.each([
    ["embedContent", {}, "/content/parts"],
    [
      "embedContent",
      { content: { parts: [{ inlineData: { mimeType: "image/png", data: "" } }] } },
      "/content/parts/0",
    ],
    ["embedContent", { model: "models/other", content: { parts: [{ text: "a" }] } }, "/model"],
    ["batchEmbedContents", { requests: [] }, "/requests"],
    [
      "batchEmbedContents",
      {
        requests: [
          { content: { parts: [{ text: "a" }] }, outputDimensionality: 3 },
          { content: { parts: [{ text: "b" }] } },
        ],
      },
      "/requests/1/outputDimensionality",
    ],
  ])("%s with %j, with the place", async (method, body, at) => {
    const response = await post(`/v1beta/models/demo/echo:${method}`, body);
    expect(response.status).toBe(400);
    const { error } = await response.json();
    expect(error).toMatchObject({ code: 400, status: "INVALID_ARGUMENT" });
    expect(error.message).toContain(`(at ${at})`);
  });

  test.each(["anthropic/claude-opus-4-8", "bedrock/amazon.nova-pro-v1:0"])(
    "%s has no embeddings",
    async (model) => {
      await withProvider("openai");
      const message = `the provider of ${model} has no embeddings`;
      await expect(openai().embeddings.create({ model, input: "ab" })).rejects.toMatchObject({
        status: 400,
        param: "model",
        message: expect.stringContaining(message),
      });
      await expect(ollama().embed({ model, input: "ab" })).rejects.toMatchObject({
        status_code: 400,
        error: expect.stringContaining(message),
      });
      await expect(google().models.embedContent({ model, contents: "ab" })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(message),
      });
    },
  );

  test("an agent has none either", async () => {
    await expect(openai().embeddings.create({ model: "agent/main", input: "ab" })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("an agent has no embeddings"),
    });
  });

  test("a provider's refusal has its status and the client's shape, without our key", async () => {
    await withProvider("openai");
    await gateway().restart({
      providers: {
        acme: { baseUrl: upstream?.baseUrl ?? "", apiKey: EMBEDDING_KEY, api: "openai-chat", maxRetries: 0 },
        wrong: { baseUrl: upstream?.baseUrl ?? "", apiKey: "k", api: "openai-chat", maxRetries: 0 },
      },
      models: { "acme/other": {}, "acme/embedder": {}, "wrong/embedder": {} },
    });
    await expect(openai().embeddings.create({ model: "acme/other", input: "ab" })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("The model `other` does not exist"),
    });
    const invalid = await post("/v1/embeddings", { model: "acme/embedder", input: "ab", odd: 1 });
    expect(invalid.status).toBe(400);
    expect(await invalid.json()).toMatchObject({
      error: { message: expect.stringContaining("Unrecognized request argument supplied: odd") },
    });
    await expect(ollama().embed({ model: "wrong/embedder", input: "ab" })).rejects.toMatchObject({
      status_code: 502,
      error: "the model's provider rejected this gateway's API key",
    });
  });

  test("a model that is not offered, a token that may only read, and a wrong token", async () => {
    const ask = (token: string, model: string) =>
      gateway().fetch("/v1/embeddings", {
        method: "POST",
        token,
        body: JSON.stringify({ model, input: "ab" }),
      });
    const { status } = await ask(gateway().chat, "openai/text-embedding-3-small");
    expect(status).toBe(403);
    expect((await ask(gateway().read, "demo/echo")).status).toBe(403);
    const wrong = await ask("wrong", "demo/echo");
    expect(wrong.status).toBe(401);
    expect(await wrong.json()).toMatchObject({ error: { code: "invalid_api_key" } });
  });
});
