import {
  type EmbeddingApi,
  type EmbeddingRequest,
  type EmbeddingUsage,
  reportUnread,
  writeInput,
} from "../../core/api/embedding-api.js";
import {
  badVectors,
  decodeVector,
  encodeVector,
  readDimensions,
  readInputTokens,
  readVector,
} from "../../core/api/vectors.js";
import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";

const path = () => "/embeddings";

/** `POST /v1/embeddings`, of OpenAI and the servers that speak its API. */
export const openaiEmbeddings: EmbeddingApi = {
  maxTexts: 2048,
  path,
  // Without `encoding_format`: numbers are the default, and some servers refuse to be told so.
  request: writeInput,
  readResponse(body) {
    const { data: entries } = body;
    if (!Array.isArray(entries)) throw badVectors("expected a list of embeddings at /data");
    const vectors: (readonly number[])[] = [];
    for (const [position, entry] of entries.entries()) {
      const { index = position, embedding } = isObject(entry) ? entry : {};
      vectors[isNumber(index) ? index : position] = readVector(embedding, `/data/${position}/embedding`);
    }
    return { vectors, ...readUsage(body) };
  },
  readUsage,
  endpoints: {
    embeddings: {
      path,
      forwardable: (body, model) => ({ ...body, model }),
      relay(response, { body, model }) {
        const { data } = response;
        if (!Array.isArray(data)) return response;
        return { ...response, data: data.map((entry) => withEncoding(entry, body)), model };
      },
      readRequest({ body }, report) {
        const { model: _, input, dimensions, encoding_format: encoding, ...unread } = body;
        if (encoding !== undefined && encoding !== null && encoding !== "float" && encoding !== "base64") {
          throw unexpected("/encoding_format", '"float" or "base64"', encoding);
        }
        const request: EmbeddingRequest = {
          texts: readInput(input),
          options: readDimensions(dimensions, "/dimensions"),
        };
        reportUnread(unread, "openai-chat", report);
        return request;
      },
      response({ vectors, inputTokens }, { body, model }, report) {
        if (inputTokens === undefined) {
          const why = "the provider reports none, and the API requires a number";
          report({ at: "/usage", what: "the input tokens", why, severity: "synthesised" });
        }
        const tokens = inputTokens ?? 0;
        const data = vectors.map((embedding, index) =>
          withEncoding({ object: "embedding", index, embedding }, body),
        );
        return { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
      },
    },
  },
};

function readInput(input: unknown): string[] {
  const texts = typeof input === "string" ? [input] : input;
  if (!Array.isArray(texts)) throw unexpected("/input", "a text or a list of texts", input);
  if (texts.length === 0) throw unexpected("/input", "at least one text", input);
  return texts.map((text, index) => {
    const at = typeof input === "string" ? "/input" : `/input/${index}`;
    if (isNumber(text) || Array.isArray(text)) {
      const hint = "send the text: only models with the same API accept its tokens";
      throw unexpected(at, "a text", text, hint);
    }
    if (!isString(text) || text === "") throw unexpected(at, "a text that is not empty", text);
    return text;
  });
}

/** An embedding as the client asked for it: some servers ignore `encoding_format`, and clients do not look. */
function withEncoding(entry: unknown, { encoding_format: encoding }: JsonObject): unknown {
  if (!isObject(entry)) return entry;
  const { embedding } = entry;
  if (encoding === "base64") {
    return Array.isArray(embedding) && embedding.every(isNumber)
      ? { ...entry, embedding: encodeVector(embedding) }
      : entry;
  }
  const decoded = typeof embedding === "string" ? decodeVector(embedding) : undefined;
  return decoded === undefined ? entry : { ...entry, embedding: decoded };
}

function readUsage({ usage }: JsonObject): EmbeddingUsage {
  return readInputTokens(isObject(usage) ? usage["prompt_tokens"] : undefined);
}
