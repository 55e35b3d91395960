import { apiDialect } from "../../core/api-dialect.js";
import type { Dialect, Limit } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import type { Api } from "../../core/provider.js";
import { NAME } from "./notes.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { readResponse, response } from "./response.js";
import { API, GoogleReader } from "./stream-reader.js";
import { GoogleWriter } from "./stream-writer.js";

/** Gemini's `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex AI. */
export const googleApi: Api = {
  name: NAME,
  api: API,
  rules: {
    toolId: { pattern: /^[A-Za-z0-9_.:-]+$/, maxLength: 128 },
    thinking: "signed",
    imagesInResults: true,
    blocks: ["audio", "file"],
    alternate: true,
  },
  framing: "sse",
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin) => new GoogleReader(origin),
  streamWriter: () => new GoogleWriter(),
};

const limits: readonly Limit[] = [
  { at: "/timestamp", why: "a request to Gemini has no times" },
  { at: "/id", why: "the contents of a request to Gemini have no ids" },
  { at: "/sender", why: "a request to Gemini knows users and models, not which of them" },
  { at: "/usage", why: "a request to Gemini does not say what earlier answers cost" },
  { at: "/stopReason", why: "a request to Gemini does not say why earlier answers ended" },
  { at: "/errorMessage", why: "a request to Gemini does not say why earlier answers ended" },
  { at: "/api", why: "a request to Gemini does not say who gave earlier answers" },
  { at: "/provider", why: "a request to Gemini does not say who gave earlier answers" },
  { at: "/model", why: "a request to Gemini does not say who gave earlier answers" },
  { at: "/details", role: "toolResult", why: "Gemini is shown the result of a tool, not its details" },
  {
    at: "/content",
    role: "toolResult",
    why: "a function response is one text, with images and files behind it",
  },
  {
    at: "/content/*/redacted",
    why: "Gemini does not tell withheld thinking from empty thinking",
  },
  {
    at: "/content/*/argumentsError",
    why: "a call in a request to Gemini is taken to be as the model meant it",
  },
  {
    at: "/content/*/type",
    why: "Gemini knows images and audio by their MIME type, and has no blocks of other dialects",
  },
  { at: "/content/*/value", why: "Gemini has no blocks of other dialects" },
  {
    at: "/content",
    why: "Gemini joins what one side says in a row, and a single text is the same as a list of one",
  },
  { at: "", role: "system", why: "Gemini takes one system prompt, at the beginning" },
  { at: "", role: "session", why: "a request to Gemini is a single call, not a session" },
  { at: "", role: "user", why: "Gemini joins what one side says in a row" },
  { at: "", role: "assistant", why: "Gemini joins what one side says in a row" },
];

/** Request bodies. They say ids of calls, which the Gemini API takes for every model, so that none are lost. */
export const google: Dialect = apiDialect(
  { ...googleApi, request: (call, flags, onLoss) => request(call, { callIds: true, ...flags }, onLoss) },
  { title: "Gemini generateContent request", detect, limits },
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
