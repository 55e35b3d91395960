import { type ApiDialect, apiDialect } from "../../core/api/api-dialect.js";
import type { Api } from "../../core/api/provider.js";
import { CompletionAssembler } from "./assemble.js";
import { detect } from "./detect.js";
import { limits } from "./limits.js";
import { options } from "./options.js";
import { readRequest } from "./read-request.js";
import { forwardable, request } from "./request.js";
import { readResponse, response } from "./response.js";
import { rules } from "./rules.js";
import { ChatReader } from "./stream-reader.js";
import { ChatWriter } from "./stream-writer.js";
import { API, NAME } from "./wire.js";

/** The last chunk states why the answer is finished. In the answer's own text, quotes are escaped and do not match. */
const DELTAS = /(?:data: \{(?:[^\n"]|"(?!finish_reason":))*"finish_reason":null[^\n]*\n\n)+/y;

/** OpenAI Chat Completions, and compatible servers. */
export const openaiChatApi: Api = {
  dialect: NAME,
  api: API,
  errorFormat: "openai",
  framing: "sse",
  address: {
    path: () => "/chat/completions",
    list: "/models",
    clientHeaders: { "openai-beta": "list" },
  },
  rules,
  options,
  forwardable,
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin, flags) => new ChatReader(origin, flags),
  deltas: DELTAS,
  streamWriter: () => new ChatWriter(),
  assembler: () => new CompletionAssembler(),
};

export const openaiChat: ApiDialect = apiDialect(openaiChatApi, {
  title: "OpenAI Chat Completions",
  detect,
  limits,
});
