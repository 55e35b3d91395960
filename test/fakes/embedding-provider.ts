import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { unknownName } from "./google-schema.js";

/** The key that the provider knows. */
export const EMBEDDING_KEY = "the-providers-key";

/** The model that embeds; each API has another name for it. */
const MODEL = "embedder";

export interface EmbeddingRequestSeen {
  path: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

interface Refusal {
  status: number;
  message: string;
}

/** One API: what it refuses, and how it answers. */
interface FakeApi {
  base: string;
  refusal(request: EmbeddingRequestSeen): Refusal | string | undefined;
  answer(request: EmbeddingRequestSeen): JsonObject;
  error(refusal: Refusal): JsonObject;
}

/** The vector of a text: its length, its position in the request, and zeros. */
function vectorOf(text: unknown, index: number, dimensions: unknown): number[] {
  const length = typeof dimensions === "number" ? dimensions : 4;
  return [String(text).length, index, ...Array<number>(length).fill(0)].slice(0, length);
}

function bytesOf(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString("base64");
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

const openai: FakeApi = {
  base: "/v1",
  refusal({ path, headers, body }) {
    if (headers.authorization !== `Bearer ${EMBEDDING_KEY}`) return { status: 401, message: "wrong key" };
    if (path !== "/v1/embeddings") return { status: 404, message: `Invalid URL (POST ${path})` };
    const known = ["input", "model", "encoding_format", "dimensions", "user"];
    const unknown = Object.keys(body).find((name) => !known.includes(name));
    if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
    const { input, model, encoding_format: encoding = "float", dimensions = 1 } = body;
    if (model !== MODEL) return { status: 404, message: `The model \`${String(model)}\` does not exist` };
    if (encoding !== "float" && encoding !== "base64") return "Invalid value for 'encoding_format'.";
    if (!Number.isInteger(dimensions) || Number(dimensions) < 1) return "Invalid value for 'dimensions'.";
    const texts = listOf(input);
    if (texts.length === 0 || texts.length > 2048) return "Invalid 'input': array of 1 to 2048 expected.";
    const isTokens = texts.every((token) => Number.isInteger(token) || Array.isArray(token));
    if (isTokens) return undefined;
    if (!texts.every((text) => typeof text === "string" && text !== "")) return "'$.input' is invalid.";
    return undefined;
  },
  answer({ body: { input, dimensions, encoding_format: encoding } }) {
    const isOne = !Array.isArray(input) || typeof input[0] === "number";
    const data = (isOne ? [input] : input).map((text: unknown, index: number) => {
      const vector = vectorOf(text, index, dimensions);
      return { object: "embedding", index, embedding: encoding === "base64" ? bytesOf(vector) : vector };
    });
    return { object: "list", data, model: "embedder-2026", usage: { prompt_tokens: 7, total_tokens: 7 } };
  },
  error: ({ message }) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
};

/** A server that speaks OpenAI's API and ignores `encoding_format`, as some do. */
const openaiFloats: FakeApi = {
  ...openai,
  answer: (request) => openai.answer({ ...request, body: { ...request.body, encoding_format: "float" } }),
};

const TASKS = ["RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT", "SEMANTIC_SIMILARITY", "CLASSIFICATION"];

function contentRefusal(request: unknown, at: string, isModelNeeded: boolean): string | undefined {
  if (!isObject(request)) return `Invalid value at '${at}'`;
  const known = ["model", "content", "taskType", "title", "outputDimensionality"];
  const [unknown] = unknownName(request, known, at);
  if (unknown !== undefined) return unknown;
  const { model, content, taskType, title } = request;
  if (model === undefined && isModelNeeded)
    return "* BatchEmbedContentsRequest.requests[0].model: unspecified";
  if (model !== undefined && model !== `models/${MODEL}`) return "* model does not match the one in the URL";
  const parts = isObject(content) && Array.isArray(content["parts"]) ? content["parts"] : [];
  if (parts.length === 0 || !parts.every((part) => isObject(part) && typeof part["text"] === "string")) {
    return "* EmbedContentRequest.content: content is required";
  }
  if (taskType !== undefined && !TASKS.includes(String(taskType)))
    return `Invalid value at '${at}.task_type'`;
  return title !== undefined && taskType !== "RETRIEVAL_DOCUMENT"
    ? "title needs RETRIEVAL_DOCUMENT"
    : undefined;
}

function requestsOf({ path, body }: EmbeddingRequestSeen): unknown[] {
  return path.endsWith(":embedContent") ? [body] : listOf(body["requests"] ?? []);
}

const google: FakeApi = {
  base: "/v1beta",
  refusal(request) {
    const { path, headers, body } = request;
    if (headers["x-goog-api-key"] !== EMBEDDING_KEY) return { status: 400, message: "API key not valid." };
    const isBatch = path === `/v1beta/models/${MODEL}:batchEmbedContents`;
    if (!isBatch && path !== `/v1beta/models/${MODEL}:embedContent`) {
      return { status: 404, message: `${path} is not found for API version v1beta` };
    }
    const requests = requestsOf(request);
    if (isBatch) {
      const [unknown] = unknownName(body, ["requests"], "");
      if (unknown !== undefined) return unknown;
      if (requests.length === 0) return "* BatchEmbedContentsRequest.requests: must not be empty";
      if (requests.length > 100)
        return "* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch";
    }
    return requests.map((one) => contentRefusal(one, "requests", isBatch)).find((why) => why !== undefined);
  },
  answer(request) {
    const embeddings = requestsOf(request).map((one, index) => {
      const { content, outputDimensionality } = isObject(one) ? one : {};
      const [part] = isObject(content) && Array.isArray(content["parts"]) ? content["parts"] : [];
      return { values: vectorOf(part?.text, index, outputDimensionality) };
    });
    const usageMetadata = { promptTokenCount: 7 };
    return request.path.endsWith(":embedContent")
      ? { embedding: embeddings[0], usageMetadata }
      : { embeddings, usageMetadata };
  },
  error: ({ status, message }) => ({ error: { code: status, message, status: "INVALID_ARGUMENT" } }),
};

const ollama: FakeApi = {
  base: "",
  refusal({ path, body: { model, input, prompt, dimensions = 0 } }) {
    if (path !== "/api/embed" && path !== "/api/embeddings")
      return { status: 404, message: "404 page not found" };
    if (model !== MODEL) return { status: 404, message: `model '${String(model)}' not found` };
    if (path === "/api/embeddings") {
      return typeof (prompt ?? "") === "string" ? undefined : "json: cannot unmarshal prompt";
    }
    if (!listOf(input ?? []).every((text) => typeof text === "string")) return "invalid input type";
    return Number.isInteger(dimensions) ? undefined : "json: cannot unmarshal dimensions";
  },
  answer({ path, body: { model, input, prompt, dimensions } }) {
    if (path === "/api/embeddings") return { embedding: vectorOf(prompt, 0, undefined) };
    const embeddings = listOf(input).map((text, index) => vectorOf(text, index, dimensions));
    return { model, embeddings, total_duration: 14, load_duration: 1, prompt_eval_count: 7 };
  },
  error: ({ message }) => ({ error: message }),
};

const apis = { openai, "openai-floats": openaiFloats, google, ollama };

export type EmbeddingServer = keyof typeof apis;

export interface EmbeddingProvider {
  baseUrl: string;
  /** What was asked and accepted, in order. */
  requests: EmbeddingRequestSeen[];
  refusals: string[];
  close(): Promise<void>;
}

/** A provider on a real socket that embeds with the model `embedder` and refuses what the real API refuses. */
export async function embeddingProvider(name: EmbeddingServer): Promise<EmbeddingProvider> {
  const api: FakeApi = apis[name];
  const requests: EmbeddingRequestSeen[] = [];
  const refusals: string[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await seen(incoming);
    const why = api.refusal(request);
    const refusal = typeof why === "string" ? { status: 400, message: why } : why;
    if (refusal === undefined) requests.push(request);
    else refusals.push(refusal.message);
    response.writeHead(refusal?.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(refusal === undefined ? api.answer(request) : api.error(refusal)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { baseUrl: `http://127.0.0.1:${port}${api.base}`, requests, refusals, close };
}

async function seen(request: IncomingMessage): Promise<EmbeddingRequestSeen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  return { path: request.url ?? "", headers: request.headers, body: isObject(body) ? body : {} };
}
