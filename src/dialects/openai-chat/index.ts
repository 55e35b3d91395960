import { apiDialect } from "../../core/api-dialect.js";
import type { Dialect } from "../../core/dialect.js";
import type { Api } from "../../core/provider.js";
import { whyUnsayable, writePart } from "./content.js";
import { detect } from "./detect.js";
import { limits } from "./limits.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { readResponse, response } from "./response.js";
import { ChatReader } from "./stream-reader.js";
import { ChatWriter } from "./stream-writer.js";
import { API, IMAGE_TYPES, NAME } from "./wire.js";

/** OpenAI Chat Completions, and the many servers that speak it. */
export const openaiChatApi: Api = {
  name: NAME,
  api: API,
  framing: "sse",
  rules: {
    toolId: { pattern: /^[\x21-\x7e]+$/, maxLength: 40 },
    toolName: { pattern: /^[A-Za-z0-9_-]+$/, maxLength: 64 },
    thinking: "any",
    signs: ["call"],
    imageTypes: IMAGE_TYPES,
    joinsTexts: true,
    imageDetail: true,
    blocks: ["audio", "file"],
    refuses: (block) => (writePart(block) === undefined ? whyUnsayable(block) : undefined),
    alternate: false,
  },
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin) => new ChatReader(origin),
  streamWriter: () => new ChatWriter(),
};

export const openaiChat: Dialect = apiDialect(openaiChatApi, {
  title: "OpenAI Chat Completions",
  detect,
  limits,
});
