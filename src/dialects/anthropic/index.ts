import { type ApiDialect, apiDialect } from "../../core/api/api-dialect.js";
import { refusesThinking } from "../../core/api/claude-thinking.js";
import type { Api } from "../../core/api/provider.js";
import { MessageAssembler } from "./assemble.js";
import { clientTools } from "./client-tools.js";
import { detect } from "./detect.js";
import { limits } from "./limits.js";
import { options } from "./options.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { response } from "./response.js";
import { rules } from "./rules.js";
import { AnthropicReader, readResponse } from "./stream-reader.js";
import { AnthropicWriter } from "./stream-writer.js";
import { API, NAME } from "./wire.js";

/** Anthropic's Messages API. */
export const anthropicApi: Api = {
  dialect: NAME,
  api: API,
  framing: "sse",
  address: {
    path: () => "/v1/messages",
    keyHeaders: (key) => ({ "x-api-key": key }),
    headers: { "anthropic-version": "2023-06-01" },
    clientHeaders: { "anthropic-beta": "list", "anthropic-version": "one" },
  },
  rules,
  forwardable: (body, model) => ({ ...body, model, stream: true }),
  options,
  clientTools,
  signaturePlace: {
    block: "thinking",
    write: (block, thinkingSignature) => ({ ...block, thinkingSignature }),
    read: ({ thinkingSignature }) => thinkingSignature,
    list: "messages",
    blocks: "content",
    replace: ({ signature, data, thinking: text = "" }, isOurs) =>
      isOurs(signature) || isOurs(data) ? (text === "" ? [] : [{ type: "text", text }]) : undefined,
  },
  refusesThinking,
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin) => new AnthropicReader(origin),
  deltaFields: ["text", "thinking", "partial_json"],
  streamWriter: () => new AnthropicWriter(),
  assembler: () => new MessageAssembler(),
};

export const anthropic: ApiDialect = apiDialect(anthropicApi, {
  title: "Anthropic Messages",
  detect,
  limits,
});
