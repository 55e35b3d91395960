import { type ApiDialect, apiDialect } from "../../core/api/api-dialect.js";
import type { Api } from "../../core/api/provider.js";
import { readEncrypted, writeEncrypted } from "../../core/message/responses-signatures.js";
import { ResponseAssembler } from "./assemble.js";
import { clientTools } from "./client-tools.js";
import { detect } from "./detect.js";
import { limits } from "./limits.js";
import { options } from "./options.js";
import { thinkingOf } from "./read-items.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";
import { readResponse, response } from "./response.js";
import { rules } from "./rules.js";
import { streamReader } from "./stream-reader.js";
import { streamWriter } from "./stream-writer.js";
import { API, NAME } from "./wire.js";

/** The OpenAI Responses API, and compatible servers. */
export const openaiResponsesApi: Api = {
  dialect: NAME,
  api: API,
  rules,
  options,
  clientTools,
  errorFormat: "openai",
  signaturePlace: {
    block: "thinking",
    write: writeEncrypted,
    read: readEncrypted,
    list: "input",
    replace(item, isOurs) {
      if (!isOurs(item["encrypted_content"])) return undefined;
      const content = thinkingOf(item);
      return content === "" ? [] : [{ role: "assistant", content }];
    },
  },
  framing: "sse",
  address: { path: () => "/responses", clientHeaders: { "openai-beta": "list" } },
  forwardable: (body, model) => ({ ...body, model, stream: true }),
  request,
  readRequest,
  readResponse,
  response,
  streamReader,
  deltaFields: ["delta", "sequence_number", "obfuscation"],
  streamWriter,
  assembler: () => new ResponseAssembler(),
};

export const openaiResponses: ApiDialect = apiDialect(openaiResponsesApi, {
  title: "OpenAI Responses",
  list: "input",
  detect,
  limits,
});
