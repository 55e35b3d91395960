import { apiDialect } from "../../core/api-dialect.js";
import type { Dialect } from "../../core/dialect.js";
import type { Api } from "../../core/provider.js";
import { writeGivenBlock } from "./blocks.js";
import { detect } from "./detect.js";
import { limits } from "./limits.js";
import { NAME } from "./note.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { response } from "./response.js";
import { AnthropicReader, API, readResponse } from "./stream-reader.js";
import { AnthropicWriter } from "./stream-writer.js";
import { IMAGE_TYPES } from "./wire.js";

/** Anthropic's Messages API. */
export const anthropicApi: Api = {
  name: NAME,
  api: API,
  framing: "sse",
  rules: {
    toolId: { pattern: /^[A-Za-z0-9_-]+$/, maxLength: 64 },
    toolName: { pattern: /^[A-Za-z0-9_-]+$/, maxLength: 128 },
    thinking: "signed",
    signs: [],
    imageTypes: IMAGE_TYPES,
    imageDetail: false,
    trimsLastAnswer: true,
    blocks: ["file"],
    refuses: (block) =>
      writeGivenBlock(block) === undefined ? "this API takes PDF files and text files" : undefined,
    alternate: false,
  },
  request,
  readRequest,
  readResponse,
  response,
  streamReader: (origin) => new AnthropicReader(origin),
  streamWriter: () => new AnthropicWriter(),
};

export const anthropic: Dialect = apiDialect(anthropicApi, {
  title: "Anthropic Messages",
  detect,
  limits,
});
