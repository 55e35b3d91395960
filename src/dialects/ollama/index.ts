import { type ApiDialect, apiDialect } from "../../core/api-dialect.js";
import type { Api } from "../../core/provider.js";
import { detect } from "./detect.js";
import { readRequest } from "./read-request.js";
import { writeRequest } from "./request.js";
import { readResponse, writeResponse } from "./response.js";
import { rules } from "./rules.js";
import { LineReader } from "./stream-reader.js";
import { LineWriter } from "./stream-writer.js";
import { API, NAME } from "./wire.js";

/** Ollama's own API, `POST /api/chat`. */
export const ollamaApi: Api = {
  dialect: NAME,
  api: API,
  rules,
  framing: "ndjson",
  address: { path: () => "/api/chat" },
  request: (call, _flags, onLoss) => writeRequest(call, onLoss),
  readRequest,
  readResponse,
  response: writeResponse,
  streamReader: (origin) => new LineReader(origin),
  streamWriter: () => new LineWriter(),
};

/** Requests to Ollama as a dialect. */
export const ollama: ApiDialect = apiDialect(ollamaApi, {
  title: "Ollama chat",
  detect,
  limits: [
    { at: "/timestamp", why: "a request does not say when a message was sent" },
    { at: "/id", why: "messages of a request have no ids" },
    { at: "/sender", why: "a request does not say who among the users spoke" },
    { at: "/api", role: "assistant", why: "a request does not say who answered" },
    { at: "/provider", role: "assistant", why: "a request does not say who answered" },
    { at: "/model", role: "assistant", why: "a request does not say who answered" },
    { at: "/usage", role: "assistant", why: "a request does not say what an answer cost" },
    { at: "/stopReason", role: "assistant", why: "a request does not say why an answer ended" },
    { at: "/errorMessage", role: "assistant", why: "a request does not say why an answer ended" },
    { at: "/isError", role: "toolResult", why: "Ollama has no mark for results that are errors" },
    { at: "/details", role: "toolResult", why: "details are not for the model" },
    { at: "/content", why: "a message has one text, one list of images by bytes and one list of calls" },
  ],
});
