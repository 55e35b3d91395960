import type {
  EmbeddingApi,
  EmbeddingOptions,
  EmbeddingResult,
  EmbeddingUsage,
} from "../core/api/embedding-api.js";
import { badVectors } from "../core/api/vectors.js";
import { DragomanError } from "../core/error.js";
import type { JsonObject } from "../core/json/value.js";
import type { Usage } from "../core/types.js";
import { loadEmbeddingApi } from "../dialects/registry.js";
import { type ModelCard, priceWith } from "./catalogue.js";
import { findConnector, type ModelName, nameOf } from "./connectors.js";
import type { Endpoint } from "./endpoints.js";

export interface EmbedOptions extends EmbeddingOptions {
  signal?: AbortSignal;
}

/** Texts as vectors. */
export interface Embeddings {
  /** One for each text, in the same order. */
  vectors: readonly (readonly number[])[];
  /** Absent if the provider does not report it. */
  usage?: Usage;
}

/** A provider's answer to a request for embeddings. */
export interface ForwardedEmbedding extends Pick<Embeddings, "usage"> {
  response: JsonObject;
}

/** What belongs to a request that is forwarded, beside its body. */
export interface ClientRequest {
  /** Headers of the client's request. Those that belong to the request go along; credentials never do. */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  signal?: AbortSignal;
}

/** A connected model, as far as embeddings need it. */
export interface Embedder extends ModelName {
  card: ModelCard;
  endpoint(): Pick<Endpoint, "api" | "host">;
  post(path: (model: string) => string, body: JsonObject, request: ClientRequest): Promise<JsonObject>;
}

export async function embed(
  model: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Embeddings> {
  if (texts.length === 0) return { vectors: [] };
  const { vectors, ...usage } = await embedTexts(model, texts, options);
  return { vectors, ...withPrice(model, usage) };
}

async function embedTexts(
  model: Embedder,
  texts: readonly string[],
  given: EmbedOptions,
): Promise<EmbeddingResult> {
  const connector = findConnector(model.provider);
  if (connector !== undefined) {
    const { embed: embedHere } = await connector();
    if (embedHere === undefined) throw noEmbeddings(model);
    return checkCount(await embedHere(model, texts, given), texts.length);
  }
  const { signal, ...options } = given;
  const api = await embeddingApiOf(model);
  const results: EmbeddingResult[] = [];
  for (let at = 0; at < texts.length; at += api.maxTexts) {
    const part = texts.slice(at, at + api.maxTexts);
    const body = api.request(model.id, { texts: part, options });
    const answer = await model.post(api.path, body, signal === undefined ? {} : { signal });
    results.push(checkCount(api.readResponse(answer), part.length));
  }
  return joinResults(results);
}

export async function forwardEmbedding(
  model: Embedder,
  name: string,
  body: JsonObject,
  request: ClientRequest,
): Promise<ForwardedEmbedding> {
  const api = await embeddingApiOf(model);
  const { [name]: endpoint } = api.endpoints;
  if (endpoint === undefined) {
    throw new DragomanError("model/invalid", `the provider of ${nameOf(model)} has no endpoint "${name}"`);
  }
  const response = await model.post(endpoint.path, endpoint.forwardable(body, model.id), request);
  return { response, ...withPrice(model, api.readUsage(response)) };
}

async function embeddingApiOf(model: Embedder): Promise<EmbeddingApi> {
  const { api, host } = model.endpoint();
  // Clouds serve embeddings in forms of their own, which are not supported.
  const embeddings = host === undefined ? await loadEmbeddingApi(api) : undefined;
  if (embeddings === undefined) throw noEmbeddings(model);
  return embeddings;
}

/** The result, if it has a vector for each text. */
function checkCount(result: EmbeddingResult, count: number): EmbeddingResult {
  const { vectors } = result;
  // Not only the length: a server that repeats an index leaves a gap.
  const found = vectors.filter((vector) => vector !== undefined).length;
  if (found === count && vectors.length === count) return result;
  throw badVectors(`expected ${count} embeddings, found ${found}`);
}

function joinResults(results: readonly EmbeddingResult[]): EmbeddingResult {
  const counts = results.map(({ inputTokens }) => inputTokens).filter((count) => count !== undefined);
  const isComplete = counts.length === results.length;
  return {
    vectors: results.flatMap(({ vectors }) => vectors),
    ...(isComplete ? { inputTokens: counts.reduce((sum, count) => sum + count, 0) } : {}),
  };
}

function withPrice({ card }: Embedder, { inputTokens }: EmbeddingUsage): { usage?: Usage } {
  if (inputTokens === undefined) return {};
  return { usage: priceWith(card, { input: inputTokens, output: 0, cacheRead: 0, cacheWrite: 0 }) };
}

function noEmbeddings(model: Embedder): DragomanError {
  return new DragomanError("model/invalid", `the provider of ${nameOf(model)} has no embeddings`, {
    at: "/model",
    hint: "use a model whose provider has them",
    details: { retryable: false },
  });
}
