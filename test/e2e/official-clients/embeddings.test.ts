import { describe, expect, test } from "vitest";
import { embeddingGateway } from "./embedding-gateway.js";

const { withProvider, openai, google, ollama, post } = embeddingGateway();

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
    await withProvider("ollama");
    const fromOpenai = await post("/v1/embeddings", { model: "acme/embedder", input: "ab", user: "u" });
    expect(lossesIn(fromOpenai).map(({ at }) => at)).toEqual(["/user"]);
  });
});
