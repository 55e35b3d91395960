import type { JsonObject } from "../json/value.js";
import type { Loss } from "../types.js";

/** Settings of a call for embeddings. */
export interface EmbeddingOptions {
  /** The length of each vector (default: the model's own). */
  dimensions?: number;
  /** Fields of the provider's request, written unchanged; Gemini has them for each text. */
  extra?: JsonObject;
}

/** Texts to embed, as a request states them. */
export interface EmbeddingRequest {
  texts: readonly string[];
  options: EmbeddingOptions;
}

export interface EmbeddingUsage {
  /** Absent if the provider does not report them. */
  inputTokens?: number;
}

/** The answer to such a request. */
export interface EmbeddingResult extends EmbeddingUsage {
  /** One for each text, in the same order. */
  vectors: readonly (readonly number[])[];
}

type Report = (loss: Loss) => void;

/** A client's request, and the model's name as the client wrote it. */
export interface AskedEmbedding {
  body: JsonObject;
  model: string;
}

/** How one provider's API embeds texts, in both directions. Pure. */
export interface EmbeddingApi {
  /** The most texts that one request may have. */
  readonly maxTexts: number;
  /** Where requests are posted, appended to the base URL. */
  path(model: string): string;
  request(model: string, request: EmbeddingRequest): JsonObject;
  /** Throws `provider/bad-response` if the body is not an answer of this API. */
  readResponse(body: JsonObject): EmbeddingResult;
  /** The tokens of an answer of any of its endpoints. */
  readUsage(body: JsonObject): EmbeddingUsage;
  /** The endpoints that clients call, by their names. */
  readonly endpoints: Readonly<Record<string, EmbeddingEndpoint>>;
}

/** One endpoint as clients call it. */
export interface EmbeddingEndpoint {
  /** Where the provider has it, appended to the base URL. */
  path(model: string): string;
  /** Throws `model/invalid` if the body names another model than the URL (default: the URL names none). */
  checkModel?(asked: AskedEmbedding): void;
  /** A client's request as it is forwarded: unchanged but for the model. */
  forwardable(body: JsonObject, model: string): JsonObject;
  /** The provider's answer to it, with the model's name and in the encoding that the client asked for. */
  relay(response: JsonObject, asked: AskedEmbedding): JsonObject;
  /** The texts of a request; throws `model/invalid` with a place. Fields that no other API has are reported. */
  readRequest(asked: AskedEmbedding, report: Report): EmbeddingRequest;
  /** The answer to a request that another API served. */
  response(result: EmbeddingResult, asked: AskedEmbedding, report: Report): JsonObject;
}

/** A request with the texts in `input`, as OpenAI and Ollama have it. */
export function writeInput(
  model: string,
  { texts, options: { dimensions, extra } }: EmbeddingRequest,
): JsonObject {
  return { model, input: texts, ...(dimensions === undefined ? {} : { dimensions }), ...extra };
}

/** Reports the fields of a request that are left out for other APIs. */
export function reportUnread(
  fields: JsonObject,
  dialect: string,
  report: Report,
  place = (name: string) => `/${name}`,
): void {
  for (const [what, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    const why = `it is not translated from ${dialect} to other APIs`;
    report({ at: place(what), what, why, severity: "dropped" });
  }
}
