import type { StreamPayload } from "../../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../anthropic.js";
import { list } from "../refusal.js";
import { bearerOf, type Received, type StrictApi, TURNS } from "./api.js";
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

/** Signatures are the provider's, and while a tool loop runs, the turns of it begin with their thinking. */
function sealed(body: JsonObject): string | undefined {
  const messages = list(body["messages"], "messages");
  const asked = messages.findLastIndex(
    (message) => message["role"] === "user" && blocksOf(message).some(({ type }) => type === "text"),
  );
  const thinks = isObject(body["thinking"]) && body["thinking"]["type"] !== "disabled";
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

function turnOf({ body }: Received): number {
  return list(body["messages"], "messages")
    .filter(({ role }) => role === "assistant")
    .flatMap(blocksOf)
    .filter(({ type }) => type === "tool_use").length;
}

function contentOf(turn: number): JsonObject[] {
  const thinking = `Step ${turn} — with care.`;
  return [
    { type: "thinking", thinking, signature: seal(thinking) },
    ...(turn === 1 ? [{ type: "redacted_thinking", data: seal("redacted") }] : []),
    ...(turn === 2 ? searchBlocks() : []),
    ...(turn < TURNS
      ? [{ type: "tool_use", id: `toolu_${turn}`, name: "lookup", input: { step: turn } }]
      : [{ type: "text", text: `Done after ${TURNS} calls.` }]),
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

function head(request: Received): JsonObject {
  return {
    id: `msg_${turnOf(request)}`,
    type: "message",
    role: "assistant",
    model: request.body["model"],
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  };
}

function stopReason(request: Received): string {
  return turnOf(request) < TURNS ? "tool_use" : "end_turn";
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
  whole: (request) => ({
    ...head(request),
    content: contentOf(turnOf(request)),
    stop_reason: stopReason(request),
    usage: { input_tokens: 10, output_tokens: 5 },
  }),
  stream: (request) => [
    named({ type: "message_start", message: head(request) }),
    named({ type: "ping" }),
    ...contentOf(turnOf(request)).flatMap((block, index) => {
      const { start, deltas } = pieces(block);
      return [
        named({ type: "content_block_start", index, content_block: start }),
        ...deltas.map((delta) => named({ type: "content_block_delta", index, delta })),
        named({ type: "content_block_stop", index }),
      ];
    }),
    named({
      type: "message_delta",
      delta: { stop_reason: stopReason(request), stop_sequence: null },
      usage: { output_tokens: 5 },
    }),
    named({ type: "message_stop" }),
  ],
};
