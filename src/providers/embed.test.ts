import { expect, test } from "vitest";
import { type ConnectOptions, connect } from "./connect.js";
import { registerConnector } from "./connectors.js";
import type { Model } from "./model.js";

interface Call {
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** A model whose provider answers each request with the next of these responses. */
function asked(
  name: string,
  responses: readonly (() => Response | Promise<Response>)[],
  options: ConnectOptions = {},
): { model: Model; calls: Call[] } {
  const calls: Call[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    calls.push({ url, headers, body: JSON.parse(String(init.body)) });
    const next = responses[calls.length - 1];
    if (next === undefined) throw new Error("asked too often");
    return next();
  };
  const after = (_ms: number, run: () => void) => {
    const timer = setTimeout(run, 0);
    return () => clearTimeout(timer);
  };
  const model = connect(name, {
    apiKey: "sk-secret-key-1",
    fetch,
    world: { after },
    idleMs: 1e6,
    ...options,
  });
  return { model, calls };
}

const openai =
  (...vectors: number[][]) =>
  () =>
    Response.json({
      data: vectors.map((embedding, index) => ({ index, embedding })),
      usage: { prompt_tokens: 3 },
    });

test("texts are sent in the provider's API, and cost what they cost", async () => {
  const prices = { input: 2, output: 0, cacheRead: 0, cacheWrite: 0 };
  const { model, calls } = asked("openai/text-embedding-3-small", [openai([1, 0], [0, 1])], {
    card: { prices },
  });
  const { vectors, usage } = await model.embed(["a", "b"], { dimensions: 2, extra: { user: "u" } });
  expect(vectors).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(usage).toMatchObject({ input: 3, output: 0, totalTokens: 3, cost: { total: 0.000006 } });
  expect(calls).toEqual([
    {
      url: "https://api.openai.com/v1/embeddings",
      headers: { "content-type": "application/json", authorization: "Bearer sk-secret-key-1" },
      body: { model: "text-embedding-3-small", input: ["a", "b"], dimensions: 2, user: "u" },
    },
  ]);
});

test("Gemini has settings for each text", async () => {
  const { model, calls } = asked("google/gemini-embedding-001", [
    () => Response.json({ embeddings: [{ values: [1] }] }),
  ]);
  const answer = await model.embed(["a"], { extra: { taskType: "RETRIEVAL_QUERY" } });
  expect(answer).toEqual({ vectors: [[1]] });
  expect(calls).toMatchObject([
    {
      url: "https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001:batchEmbedContents",
      headers: { "x-goog-api-key": "sk-secret-key-1" },
      body: {
        requests: [
          {
            model: "models/gemini-embedding-001",
            content: { parts: [{ text: "a" }] },
            taskType: "RETRIEVAL_QUERY",
          },
        ],
      },
    },
  ]);
});

test("vectors are in the order of the texts, however the provider sends them", async () => {
  const { model } = asked("openai/e", [
    () =>
      Response.json({
        data: [
          { index: 1, embedding: [2] },
          { index: 0, embedding: "AACAPw==" },
        ],
      }),
  ]);
  expect(await model.embed(["a", "b"])).toEqual({ vectors: [[1], [2]] });
});

test("no texts need no call", async () => {
  const { model, calls } = asked("openai/e", []);
  expect(await model.embed([])).toEqual({ vectors: [] });
  expect(calls).toEqual([]);
});

test.each([
  ["too few", openai([1])],
  [
    "one twice",
    () =>
      Response.json({
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [2] },
        ],
      }),
  ],
])("a vector that is missing is an error: %s", async (_, response) => {
  const { model } = asked("openai/e", [response]);
  await expect(model.embed(["a", "b"])).rejects.toMatchObject({
    code: "provider/bad-response",
    message: "expected 2 embeddings, found 1",
  });
});

test("a failure that may pass is tried again, another is not", async () => {
  const busy = () => Response.json({ error: { message: "busy" } }, { status: 503 });
  const { model, calls } = asked("openai/e", [busy, openai([1])]);
  expect((await model.embed(["a"])).vectors).toEqual([[1]]);
  expect(calls).toHaveLength(2);
  const refused = asked("openai/e", [
    () => Response.json({ error: { message: "bad sk-secret-key-1" } }, { status: 400 }),
  ]);
  await expect(refused.model.embed(["a"])).rejects.toMatchObject({
    code: "provider/http",
    message: expect.not.stringContaining("sk-secret-key-1"),
    details: { status: 400 },
  });
  expect(refused.calls).toHaveLength(1);
});

test.each([
  ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
  ["a list", () => Response.json([])],
  ["no list of vectors", () => Response.json({ data: 1 })],
])("%s is not an answer", async (_, response) => {
  const { model } = asked("openai/e", [response]);
  await expect(model.embed(["a"])).rejects.toMatchObject({ code: "provider/bad-response" });
});

test("what is not JSON is tried again", async () => {
  const { model } = asked("openai/e", [() => new Response("{"), openai([1])]);
  expect((await model.embed(["a"])).vectors).toEqual([[1]]);
});

test("an answer that is too large is not read to its end", async () => {
  const { model } = asked("openai/e", [openai([1, 2, 3, 4, 5, 6, 7, 8, 9])], { maxAnswerBytes: 20 });
  await expect(model.embed(["a"])).rejects.toMatchObject({
    code: "provider/bad-response",
    message: "the answer is larger than 20 bytes",
  });
});

test("an abort rejects with its reason", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const hanging = () => {
    controller.abort(reason);
    return Promise.reject(new DOMException("aborted", "AbortError"));
  };
  const { model, calls } = asked("openai/e", [hanging]);
  await expect(model.embed(["a"], { signal: controller.signal })).rejects.toBe(reason);
  expect(calls).toHaveLength(1);
});

test("a server that does not answer is given up", async () => {
  const fetch = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const model = connect("openai/e", { apiKey: "k", fetch, idleMs: 5, maxRetries: 0 });
  await expect(model.embed(["a"])).rejects.toMatchObject({ code: "stream/stalled" });
});

test.each(["anthropic/claude-opus-4-8", "bedrock/amazon.nova-pro-v1:0", "vertex/gemini-embedding-001"])(
  "%s has no embeddings",
  async (name) => {
    const { model } = asked(name, []);
    const error = { code: "model/invalid", message: `the provider of ${name} has no embeddings` };
    await expect(model.embed(["a"])).rejects.toMatchObject(error);
    await expect(model.forwardEmbedding("embeddings", {})).rejects.toMatchObject(error);
  },
);

test("a connector may embed, or not", async () => {
  async function* stream() {}
  registerConnector("mute", { stream });
  await expect(connect("mute/m").embed(["a"])).rejects.toMatchObject({ code: "model/invalid" });
  registerConnector("constant", {
    stream,
    embed: async ({ id }, texts, { dimensions = 1 }) => ({
      vectors: texts.map((text) => Array<number>(dimensions).fill(text.length + id.length)),
      inputTokens: 5,
    }),
  });
  const { vectors, usage } = await connect("constant/abc").embed(["a", "bc"], { dimensions: 2 });
  expect(vectors).toEqual([
    [4, 4],
    [5, 5],
  ]);
  expect(usage?.input).toBe(5);
});

test("the demo models embed, and refuse what they cannot do", async () => {
  const model = connect("demo/echo");
  const { vectors, usage } = await model.embed(["", "A b", "a  B!"], { dimensions: 3 });
  expect(vectors[0]).toEqual([1, 0, 0]);
  expect(vectors.map((vector) => Math.hypot(...vector))).toEqual([1, expect.closeTo(1), expect.closeTo(1)]);
  expect(usage?.input).toBe(4);
  await expect(model.embed(["a"], { dimensions: 5000 })).rejects.toMatchObject({ code: "model/invalid" });
  await expect(connect("demo/none").embed(["a"])).rejects.toMatchObject({ code: "provider/unknown" });
});
