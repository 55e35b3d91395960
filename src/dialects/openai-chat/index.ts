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

/** `p` is the padding of Mistral, `obfuscation` that of OpenAI. */
const DELTA_FIELDS = ["content", "reasoning_content", "reasoning", "text", "arguments", "obfuscation", "p"];

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
  deltaFields: DELTA_FIELDS,
  streamWriter: () => new ChatWriter(),
  assembler: () => new CompletionAssembler(),
};

export const openaiChat: ApiDialect = apiDialect(openaiChatApi, {
  title: "OpenAI Chat Completions",
  detect,
  limits,
});
