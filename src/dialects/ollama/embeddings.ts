import {
  type EmbeddingApi,
  type EmbeddingEndpoint,
  type EmbeddingUsage,
  reportUnread,
  writeInput,
} from "../../core/api/embedding-api.js";
import { badVectors, readDimensions, readInputTokens, readVector } from "../../core/api/vectors.js";
import { isString, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import { NAME } from "./wire.js";

const path = () => "/api/embed";

/** `POST /api/embed`: a text or a list of texts. */
const embed: EmbeddingEndpoint = {
  path,
  forwardable: (body, model) => ({ ...body, model }),
  relay: (response, { model }) => (response["model"] === undefined ? response : { ...response, model }),
  readRequest({ body }, report) {
    const { model: _, input, dimensions, ...unread } = body;
    const texts = typeof input === "string" ? [input].filter((text) => text !== "") : (input ?? []);
    if (!Array.isArray(texts)) throw unexpected("/input", "a text or a list of texts", input);
    const wrong = texts.findIndex((text) => !isString(text));
    if (wrong >= 0) throw unexpected(`/input/${wrong}`, "a text", texts[wrong]);
    // Ollama's 0 is the model's own length.
    const options = dimensions === 0 ? {} : readDimensions(dimensions, "/dimensions");
    reportUnread(unread, NAME, report);
    return { texts: texts.filter(isString), options };
  },
  response: ({ vectors, inputTokens }, { model }) => ({
    model,
    embeddings: vectors,
    ...(inputTokens === undefined ? {} : { prompt_eval_count: inputTokens }),
  }),
};

/** `POST /api/embeddings`, the older one: a single text. */
const embeddings: EmbeddingEndpoint = {
  path: () => "/api/embeddings",
  forwardable: (body, model) => ({ ...body, model }),
  relay: (response) => response,
  readRequest({ body }, report) {
    const { model: _, prompt = "", ...unread } = body;
    if (!isString(prompt)) throw unexpected("/prompt", "a text", prompt);
    reportUnread(unread, NAME, report);
    return { texts: prompt === "" ? [] : [prompt], options: {} };
  },
  response: ({ vectors: [vector = []] }) => ({ embedding: vector }),
};

export const ollamaEmbeddings: EmbeddingApi = {
  maxTexts: Number.POSITIVE_INFINITY,
  path,
  request: writeInput,
  readResponse(body) {
    const { embeddings: vectors } = body;
    if (!Array.isArray(vectors)) throw badVectors("expected a list of embeddings at /embeddings");
    return {
      vectors: vectors.map((vector, index) => readVector(vector, `/embeddings/${index}`)),
      ...readUsage(body),
    };
  },
  readUsage,
  endpoints: { embed, embeddings },
};

function readUsage({ prompt_eval_count: count }: JsonObject): EmbeddingUsage {
  return readInputTokens(count);
}
