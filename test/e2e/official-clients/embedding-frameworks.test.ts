import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { GoogleGenerativeAIEmbeddings } from "@langchain/google-genai";
import { OllamaEmbeddings } from "@langchain/ollama";
import { OpenAIEmbeddings } from "@langchain/openai";
import { type EmbeddingModel, embed, embedMany } from "ai";
import { describe, expect, test } from "vitest";
import { embeddingGateway } from "./embedding-gateway.js";

const { gateway, withProvider } = embeddingGateway();

const servers = ["openai", "google", "ollama"] as const;

/** Each client of the AI SDK, for a model's name. */
const aiSdk: Record<string, (model: string) => EmbeddingModel> = {
  "@ai-sdk/openai": (model) =>
    createOpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat }).embedding(model),
  "@ai-sdk/openai-compatible": (model) =>
    createOpenAICompatible({
      name: "dragoman",
      baseURL: `${gateway().url}/v1`,
      apiKey: gateway().chat,
    }).embeddingModel(model),
  "@ai-sdk/google": (model) =>
    createGoogleGenerativeAI({ baseURL: `${gateway().url}/v1beta`, apiKey: gateway().chat }).embedding(model),
};

const langChain: Record<
  string,
  (model: string) => OpenAIEmbeddings | GoogleGenerativeAIEmbeddings | OllamaEmbeddings
> = {
  "@langchain/openai": (model) =>
    new OpenAIEmbeddings({
      model,
      apiKey: gateway().chat,
      maxRetries: 0,
      configuration: { baseURL: `${gateway().url}/v1` },
    }),
  "@langchain/google-genai": (model) =>
    new GoogleGenerativeAIEmbeddings({
      model,
      apiKey: gateway().chat,
      maxRetries: 0,
      baseUrl: gateway().url,
    }),
  "@langchain/ollama": (model) =>
    new OllamaEmbeddings({
      model,
      baseUrl: gateway().url,
      headers: { authorization: `Bearer ${gateway().chat}` },
      maxRetries: 0,
    }),
};

const pairs = (clients: object) =>
  Object.keys(clients).flatMap((client) => servers.map((server) => [client, server] as const));

describe("the AI SDK", () => {
  test.each(pairs(aiSdk))("%s with a provider that speaks the API of %s", async (client, server) => {
    const { refusals } = await withProvider(server);
    const model = aiSdk[client]?.("acme/embedder") ?? "";
    const one = await embed({ model, value: "ab", maxRetries: 0 });
    expect(one.embedding).toEqual([2, 0, 0, 0]);
    const many = await embedMany({ model, values: ["ab", "cde"], maxRetries: 0 });
    expect(many.embeddings).toEqual([
      [2, 0, 0, 0],
      [3, 1, 0, 0],
    ]);
    expect(refusals).toEqual([]);
  });

  test.each(Object.keys(aiSdk))("%s with the demo model", async (client) => {
    const model = aiSdk[client]?.("demo/echo") ?? "";
    const { embeddings } = await embedMany({ model, values: ["the cat sat", "the cat ran", "prices"] });
    const dot = (a = 0, b = 0) => {
      const [first = [], second = []] = [embeddings[a], embeddings[b]];
      return first.reduce((sum, value, index) => sum + value * (second[index] ?? 0), 0);
    };
    expect(embeddings.map(({ length }) => length)).toEqual([256, 256, 256]);
    expect(dot(0, 0)).toBeCloseTo(1, 5);
    expect(dot(0, 1)).toBeGreaterThan(dot(0, 2));
  });
});

describe("LangChain", () => {
  test.each(pairs(langChain))("%s with a provider that speaks the API of %s", async (client, server) => {
    const { refusals } = await withProvider(server);
    const model = langChain[client]?.("acme/embedder");
    expect(await model?.embedQuery("ab")).toEqual([2, 0, 0, 0]);
    expect(await model?.embedDocuments(["ab", "cde"])).toEqual([
      [2, 0, 0, 0],
      [3, 1, 0, 0],
    ]);
    expect(refusals).toEqual([]);
  });

  test.each(Object.keys(langChain))("%s with the demo model", async (client) => {
    const model = langChain[client]?.("demo/echo");
    const [vector] = (await model?.embedDocuments(["the cat sat"])) ?? [];
    expect(vector).toHaveLength(256);
    expect(await model?.embedQuery("the cat sat")).toEqual(vector);
  });
});
