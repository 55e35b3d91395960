import { type ApiDialect, apiDialect } from "../../core/api/api-dialect.js";
import type { Api } from "../../core/api/provider.js";
import { ContentAssembler } from "./assemble.js";
import { detect } from "./detect.js";
import { limits } from "./limits.js";
import { UNSIGNED } from "./messages.js";
import { options } from "./options.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { readResponse, response } from "./response.js";
import { rules } from "./rules.js";
import { GoogleReader } from "./stream-reader.js";
import { GoogleWriter } from "./stream-writer.js";
import { API, NAME } from "./wire.js";

/** Gemini's `generateContent` and `streamGenerateContent`, in the Gemini API and in Vertex AI. */
export const googleApi: Api = {
  dialect: NAME,
  api: API,
  rules,
  options,
  framing: "sse",
  address: {
    path: (model) => `/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    keyHeaders: (key) => ({ "x-goog-api-key": key }),
    clientHeaders: {
      "x-server-timeout": "one",
      "x-vertex-ai-llm-request-type": "one",
      "x-vertex-ai-llm-shared-request-type": "one",
    },
  },
  signaturePlace: {
    block: "toolCall",
    placeholder: UNSIGNED,
    list: "contents",
    blocks: "parts",
    replace: (part, isOurs) =>
      isOurs(part["thoughtSignature"]) ? [{ ...part, thoughtSignature: UNSIGNED }] : undefined,
  },
  sendsIds: ({ callIds }) => callIds === true,
  // The URL states the model and whether to stream.
  forwardable: ({ model: _, ...body }) => body,
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin) => new GoogleReader(origin),
  streamWriter: () => new GoogleWriter(),
  assembler: () => new ContentAssembler(),
};

/** Request bodies. They include call ids, which the Gemini API accepts for every model, so that none are lost. */
export const google: ApiDialect = apiDialect(googleApi, {
  title: "Gemini generateContent",
  detect,
  limits,
  list: "contents",
  flags: { callIds: true },
});
