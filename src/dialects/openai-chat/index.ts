import { type ApiDialect, apiDialect } from "../../core/api/api-dialect.js";
import type { Api } from "../../core/api/provider.js";
import { detect } from "./detect.js";
import { limits } from "./limits.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { readResponse, response } from "./response.js";
import { rules } from "./rules.js";
import { ChatReader } from "./stream-reader.js";
import { ChatWriter } from "./stream-writer.js";
import { API, NAME } from "./wire.js";

/** OpenAI Chat Completions, and the many servers that speak it. */
export const openaiChatApi: Api = {
  dialect: NAME,
  api: API,
  framing: "sse",
  address: { path: () => "/chat/completions", list: "/models" },
  rules,
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin, flags) => new ChatReader(origin, flags),
  streamWriter: () => new ChatWriter(),
};

export const openaiChat: ApiDialect = apiDialect(openaiChatApi, {
  title: "OpenAI Chat Completions",
  detect,
  limits,
});
