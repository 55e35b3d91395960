import {
  type AskedEmbedding,
  type EmbeddingApi,
  type EmbeddingEndpoint,
  type EmbeddingUsage,
  reportUnread,
} from "../../core/api/embedding-api.js";
import { badVectors, readDimensions, readInputTokens, readVector } from "../../core/api/vectors.js";
import { isObject, isString, type JsonObject, sameJson } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { Loss } from "../../core/types.js";
import { NAME } from "./wire.js";

const pathOf = (method: string) => (model: string) => `/models/${encodeURIComponent(model)}:${method}`;

interface ReadText {
  text: string;
  options: { dimensions?: number };
}

/** `:embedContent`, one content. */
const embedContent: EmbeddingEndpoint = {
  path: pathOf("embedContent"),
  checkModel: (asked) => checkModel(asked.body, "", asked),
  forwardable: renamed,
  relay: (response) => response,
  readRequest(asked, report) {
    const { text, options } = readContent(asked.body, "", report);
    return { texts: [text], options };
  },
  response: ({ vectors: [values = []], ...result }) => ({ embedding: { values }, ...writeUsage(result) }),
};

/** `:batchEmbedContents`, a request for each content. */
const batchEmbedContents: EmbeddingEndpoint = {
  path: pathOf("batchEmbedContents"),
  checkModel(asked) {
    const { requests } = asked.body;
    for (const [index, request] of Array.isArray(requests) ? requests.entries() : []) {
      if (isObject(request)) checkModel(request, `/requests/${index}`, asked);
    }
  },
  forwardable: (body, model) => ({
    ...body,
    ...(Array.isArray(body["requests"])
      ? {
          requests: body["requests"].map((request) =>
            isObject(request) ? renamed(request, model) : request,
          ),
        }
      : {}),
  }),
  relay: (response) => response,
  readRequest(asked, report) {
    const { requests, ...unread } = asked.body;
    if (!Array.isArray(requests) || requests.length === 0) {
      throw unexpected("/requests", "a list of requests", requests);
    }
    const losses: Loss[] = [];
    const read = requests.map((request, index) => {
      const at = `/requests/${index}`;
      if (!isObject(request)) throw unexpected(at, "a request, an object", request);
      return readContent(request, at, (loss) => losses.push(loss));
    });
    const [first] = read;
    const other = read.findIndex(({ options }) => !sameJson(options, first?.options));
    if (other >= 0) {
      throw unexpected(
        `/requests/${other}/outputDimensionality`,
        "the same value in every request",
        read[other]?.options.dimensions,
      );
    }
    reportUnread(unread, NAME, report);
    for (const loss of withoutRepeats(losses)) report(loss);
    return { texts: read.map(({ text }) => text), options: first?.options ?? {} };
  },
  response: ({ vectors, ...result }) => ({
    embeddings: vectors.map((values) => ({ values })),
    ...writeUsage(result),
  }),
};

/** Gemini's embeddings. */
export const googleEmbeddings: EmbeddingApi = {
  maxTexts: 100,
  path: pathOf("batchEmbedContents"),
  request: (model, { texts, options: { dimensions, extra } }) => ({
    requests: texts.map((text) => ({
      model: `models/${model}`,
      content: { parts: [{ text }] },
      ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      ...extra,
    })),
  }),
  readResponse(body) {
    const { embeddings } = body;
    if (!Array.isArray(embeddings)) throw badVectors("expected a list of embeddings at /embeddings");
    return {
      vectors: embeddings.map((embedding, index) =>
        readVector(isObject(embedding) ? embedding["values"] : undefined, `/embeddings/${index}/values`),
      ),
      ...readUsage(body),
    };
  },
  readUsage,
  endpoints: { embedContent, batchEmbedContents },
};

/** The URL names the model, and the body may repeat it. */
function renamed(request: JsonObject, model: string): JsonObject {
  return request["model"] === undefined ? request : { ...request, model: `models/${model}` };
}

function checkModel({ model }: JsonObject, at: string, asked: AskedEmbedding): void {
  if (model === undefined || bare(model) === bare(asked.model)) return;
  throw unexpected(`${at}/model`, `the model of the URL, models/${asked.model}`, model);
}

function bare(model: unknown): unknown {
  return typeof model === "string" ? model.replace(/^(?:models\/)+/, "") : model;
}

function readContent(request: JsonObject, at: string, report: (loss: Loss) => void): ReadText {
  const { model: _, content, embedContentConfig, ...fields } = request;
  const config = isObject(embedContentConfig) ? embedContentConfig : {};
  const { outputDimensionality: own, output_dimensionality: underscored, ...unread } = fields;
  const { outputDimensionality: inConfig, ...unreadConfig } = config;
  const options = readDimensions(own ?? underscored ?? inConfig, `${at}/outputDimensionality`);
  const text = readText(content, `${at}/content`, report);
  reportUnread(unread, NAME, report, (name) => `${at}/${name}`);
  reportUnread(unreadConfig, NAME, report, (name) => `${at}/embedContentConfig/${name}`);
  return { text, options };
}

function readText(content: unknown, at: string, report: (loss: Loss) => void): string {
  const parts = isObject(content) ? content["parts"] : undefined;
  if (!Array.isArray(parts) || parts.length === 0) throw unexpected(`${at}/parts`, "a list of parts", parts);
  const texts = parts.map((part, index) => {
    const { text } = isObject(part) ? part : {};
    const hint = "only models with the same API embed anything else";
    if (!isString(text)) throw unexpected(`${at}/parts/${index}`, "a part with a text", part, hint);
    return text;
  });
  if (texts.length > 1) {
    const why = "other APIs have one text for each vector; the texts are joined";
    report({ at: `${at}/parts`, what: "the parts of a content", why, severity: "approximated" });
  }
  return texts.join("");
}

/** One loss for each field, at its first place: batches repeat their settings in every request. */
function withoutRepeats(losses: readonly Loss[]): Loss[] {
  const seen = new Map<string, { loss: Loss; times: number }>();
  for (const loss of losses) {
    const { times = 0, loss: first = loss } = seen.get(loss.what) ?? {};
    seen.set(loss.what, { loss: first, times: times + 1 });
  }
  return [...seen.values()].map(({ loss, times }) =>
    times === 1 ? loss : { ...loss, what: `${loss.what} of ${times} requests` },
  );
}

function readUsage({ usageMetadata: usage }: JsonObject): EmbeddingUsage {
  return readInputTokens(isObject(usage) ? usage["promptTokenCount"] : undefined);
}

function writeUsage({ inputTokens }: EmbeddingUsage): JsonObject {
  return inputTokens === undefined ? {} : { usageMetadata: { promptTokenCount: inputTokens } };
}
