import type { StreamPayload } from "../../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../anthropic.js";
import { list } from "../refusal.js";
import { bearerOf, type Received, type StrictApi } from "./api.js";
import { objectsIn, offered, resultText, type Situation, type Turn } from "./script.js";
import { seal } from "./seal.js";

/** Fields and roles that a request may have only with a beta of that name. */
const BETAS = {
  context_management: "context-management-2025-06-27",
  system: "mid-conversation-system-2026-04-07",
};

function refusal({ headers, body }: Received): string | undefined {
  if (typeof headers["anthropic-version"] !== "string") return "anthropic-version: header is required";
  const betas = new Set(String(headers["anthropic-beta"] ?? "").split(","));
  const { context_management: _, messages, ...rest } = body;
  const known = betas.has(BETAS.context_management) ? rest : body;
  const turns = Array.isArray(messages) ? messages.filter(isObject) : [];
  const checked = betas.has(BETAS.system) ? turns.filter(({ role }) => role !== "system") : turns;
  return (
    validateRequest({ ...known, ...(messages === undefined ? {} : { messages: checked }) }) ?? sealed(body)
  );
}

function blocksOf({ content }: JsonObject): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : list(content, "content");
}

/** Signatures are the provider's, and while a tool loop runs, the turns of it begin with their thinking; not so with adaptive thinking. */
function sealed(body: JsonObject): string | undefined {
  const messages = list(body["messages"], "messages");
  const asked = messages.findLastIndex(
    (message) => message["role"] === "user" && blocksOf(message).some(({ type }) => type === "text"),
  );
  const thinks = isObject(body["thinking"]) && body["thinking"]["type"] === "enabled";
  for (const [index, message] of messages.entries()) {
    if (message["role"] !== "assistant") continue;
    const blocks = blocksOf(message);
    for (const [number, block] of blocks.entries()) {
      if (!isGenuine(block)) {
        return `messages.${index}.content.${number}: Invalid \`signature\` in \`${String(block["type"])}\` block`;
      }
    }
    const [first] = blocks;
    const isThinking = first?.["type"] === "thinking" || first?.["type"] === "redacted_thinking";
    if (thinks && index > asked && !isThinking) {
      return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first?.["type"])}\``;
    }
  }
  return undefined;
}

function isGenuine(block: JsonObject): boolean {
  switch (block["type"]) {
    case "thinking":
      return block["signature"] === seal(String(block["thinking"]));
    case "redacted_thinking":
      return block["data"] === seal("redacted");
    case "web_search_tool_result":
      return JSON.stringify(block["content"]).includes(seal("page"));
    default:
      return true;
  }
}

function situation({ body }: Received): Situation {
  const blocks = list(body["messages"], "messages").flatMap(blocksOf);
  return {
    calls: blocks.filter(({ type }) => type === "tool_use").length,
    results: blocks.flatMap(({ type, content }) => (type === "tool_result" ? [resultText(content)] : [])),
    tools: objectsIn(body["tools"]).map(({ name, input_schema: schema }) => offered(name, schema)),
  };
}

/** The model thinks if it is asked to. */
function contentOf({ body }: Received, { number, thinking, calls, text, extra }: Turn): JsonObject[] {
  const thinks = isObject(body["thinking"]) && body["thinking"]["type"] !== "disabled";
  return [
    ...(thinks ? [{ type: "thinking", thinking, signature: seal(thinking) }] : []),
    ...(thinks && extra === "redacted thinking"
      ? [{ type: "redacted_thinking", data: seal("redacted") }]
      : []),
    ...(extra === "server tool" ? searchBlocks() : []),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ name, arguments: input }, index) => ({
      type: "tool_use",
      id: `toolu_${number + index}`,
      name,
      input,
    })),
  ];
}

function searchBlocks(): JsonObject[] {
  const page = {
    type: "web_search_result",
    url: "https://x.test",
    title: "X",
    encrypted_content: seal("page"),
  };
  return [
    { type: "server_tool_use", id: "srvtoolu_2", name: "web_search", input: { query: "x" } },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_2", content: [page] },
  ];
}

function head({ body }: Received, { number }: Turn): JsonObject {
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: body["model"],
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  };
}

function stopReason({ calls }: Turn): string {
  return calls.length > 0 ? "tool_use" : "end_turn";
}

/** A block as it begins in a stream, and the deltas that complete it. */
function pieces(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  const { type, thinking, signature, text, input } = block;
  switch (type) {
    case "thinking":
      return {
        start: { type, thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking },
          { type: "signature_delta", signature },
        ],
      };
    case "text":
      return { start: { type, text: "" }, deltas: [{ type: "text_delta", text }] };
    case "tool_use":
    case "server_tool_use":
      return {
        start: { ...block, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(input) }],
      };
    default:
      return { start: block, deltas: [] };
  }
}

function named(data: JsonObject): StreamPayload {
  return { event: String(data["type"]), data };
}

export const strictAnthropic: StrictApi = {
  model: "claude-opus-4-6",
  base: "",
  framing: "sse",
  keyOf: (headers) => headers["x-api-key"]?.toString() ?? bearerOf(headers),
  streams: ({ body }) => body["stream"] === true,
  refusal,
  error: (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
  situation,
  whole: (request, turn) => ({
    ...head(request, turn),
    content: contentOf(request, turn),
    stop_reason: stopReason(turn),
    usage: { input_tokens: 10, output_tokens: 5 },
  }),
  stream: (request, turn) => [
    named({ type: "message_start", message: head(request, turn) }),
    named({ type: "ping" }),
    ...contentOf(request, turn).flatMap((block, index) => {
      const { start, deltas } = pieces(block);
      return [
        named({ type: "content_block_start", index, content_block: start }),
        ...deltas.map((delta) => named({ type: "content_block_delta", index, delta })),
        named({ type: "content_block_stop", index }),
      ];
    }),
    named({
      type: "message_delta",
      delta: { stop_reason: stopReason(turn), stop_sequence: null },
      usage: { output_tokens: 5 },
    }),
    named({ type: "message_stop" }),
  ],
};
