import { apiDialect } from "../../core/api-dialect.js";
import type { Dialect } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import type { Api } from "../../core/provider.js";
import { limits } from "./limits.js";
import { NAME } from "./notes.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { readResponse, response } from "./response.js";
import { API, GoogleReader } from "./stream-reader.js";
import { GoogleWriter } from "./stream-writer.js";
import { IMAGE_TYPES } from "./wire.js";

/** Gemini's `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex AI. */
export const googleApi: Api = {
  name: NAME,
  api: API,
  rules: {
    toolId: { pattern: /^[A-Za-z0-9_.:-]+$/, maxLength: 128 },
    toolName: { pattern: /^[A-Za-z_][A-Za-z0-9_.:-]*$/, maxLength: 64 },
    thinking: "signed",
    signs: ["text", "call"],
    imageTypes: IMAGE_TYPES,
    urlSchemes: ["https", "http", "gs"],
    imageDetail: false,
    blocks: ["audio", "file"],
    alternate: true,
  },
  framing: "sse",
  sendsIds: ({ callIds }) => callIds === true,
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin) => new GoogleReader(origin),
  streamWriter: () => new GoogleWriter(),
};

/** Request bodies. They say ids of calls, which the Gemini API takes for every model, so that none are lost. */
export const google: Dialect = apiDialect(
  { ...googleApi, request: (call, flags, onLoss) => request(call, { callIds: true, ...flags }, onLoss) },
  { title: "Gemini generateContent", detect, limits, list: "contents" },
);

/** Contents of parts are Google's alone, and so are candidates. */
function detect(document: unknown): number {
  if (!isObject(document)) return 0;
  const { contents, candidates } = document;
  if (Array.isArray(contents)) {
    return contents.some((content) => isObject(content) && Array.isArray(content["parts"])) ? 0.98 : 0.5;
  }
  return Array.isArray(candidates) && "usageMetadata" in document ? 0.95 : 0;
}
