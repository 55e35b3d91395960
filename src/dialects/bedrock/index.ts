import { type ApiDialect, apiDialect } from "../../core/api/api-dialect.js";
import { refusesThinking } from "../../core/api/claude-thinking.js";
import type { Api } from "../../core/api/provider.js";
import { ConverseAssembler } from "./assemble.js";
import { detect } from "./detect.js";
import { limits } from "./limits.js";
import { options } from "./options.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { response } from "./response.js";
import { rules } from "./rules.js";
import { BedrockReader, readResponse } from "./stream-reader.js";
import { BedrockWriter } from "./stream-writer.js";
import { isClaude } from "./thinking.js";
import { API, NAME } from "./wire.js";

/** Amazon Bedrock's Converse API. */
export const bedrockApi: Api = {
  dialect: NAME,
  api: API,
  framing: "event-stream",
  address: { path: (model) => `/model/${encodeURIComponent(model)}/converse-stream` },
  rules,
  options,
  // The model is in the URL, and the path asks for a stream.
  forwardable: (body) => body,
  refusesThinking: (call, flags) => (isClaude(call.model, flags) ? refusesThinking(call, flags) : undefined),
  request,
  readRequest,
  readResponse,
  response,
  isError: (body) => body["output"] === undefined,
  streamReader: (origin) => new BedrockReader(origin),
  streamWriter: () => new BedrockWriter(),
  assembler: () => new ConverseAssembler(),
};

export const bedrock: ApiDialect = apiDialect(bedrockApi, {
  title: "Amazon Bedrock Converse",
  detect,
  limits,
});
