import { type ApiDialect, apiDialect } from "../../core/api/api-dialect.js";
import type { Api } from "../../core/api/provider.js";
import { ChatAssembler } from "./assemble.js";
import { detect } from "./detect.js";
import { generateApi } from "./generate.js";
import { limits } from "./limits.js";
import { options } from "./options.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { readResponse, response } from "./response.js";
import { rules } from "./rules.js";
import { LineReader } from "./stream-reader.js";
import { LineWriter } from "./stream-writer.js";
import { API, NAME } from "./wire.js";

/** `POST /api/chat`. */
const chatApi: Api = {
  dialect: NAME,
  api: API,
  rules,
  options,
  framing: "ndjson",
  address: { path: () => "/api/chat", list: "/api/tags" },
  forwardable: (body, model) => ({ ...body, model, stream: true }),
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin) => new LineReader(origin),
  streamWriter: () => new LineWriter(),
  assembler: () => new ChatAssembler(),
};

/** Ollama's own API. */
export const ollamaApi: Api = { ...chatApi, endpoints: { generate: generateApi(chatApi) } };

/** Requests to Ollama as a dialect. */
export const ollama: ApiDialect = apiDialect(ollamaApi, {
  title: "Ollama chat",
  detect,
  limits,
});
