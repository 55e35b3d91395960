import { isObject, type JsonObject } from "../../core/json/value.js";

const EVENTS = new Set(["message_start", "message_delta", "content_block_start", "content_block_delta"]);
const OWN_BLOCKS = new Set<unknown>(["tool_use", "tool_result", "thinking", "redacted_thinking", "document"]);
const FOREIGN_PARTS = new Set<unknown>(["image_url", "input_audio", "refusal"]);

/** High for events, responses, and requests with fields that only this API has. */
export function detect(document: unknown): number {
  if (!isObject(document)) return 0;
  const { type, error, content, model, messages } = document;
  if (typeof type === "string" && EVENTS.has(type)) return 0.95;
  if (type === "ping") return 0.3;
  if (type === "message" && document["role"] === "assistant" && Array.isArray(content)) return 0.95;
  if (type === "error" && isObject(error) && typeof error["type"] === "string") return 0.7;
  if (typeof model !== "string" || !Array.isArray(messages)) return 0;
  return detectRequest(document, messages.filter(isObject));
}

function detectRequest(body: JsonObject, messages: readonly JsonObject[]): number {
  const tools = Array.isArray(body["tools"]) ? body["tools"].filter(isObject) : [];
  if (messages.some(({ role }) => role === "tool" || role === "developer" || role === "function")) return 0;
  if (messages.some((message) => "tool_calls" in message || "images" in message)) return 0;
  if (tools.some((tool) => "function" in tool)) return 0;
  if (messages.some(({ content }) => Array.isArray(content) && content.some(isForeignPart))) return 0;
  const isOwn =
    "system" in body ||
    "anthropic_version" in body ||
    tools.some((tool) => "input_schema" in tool) ||
    messages.some(({ content }) => Array.isArray(content) && content.some(isOwnBlock));
  if (isOwn) return 0.95;
  if (messages[0]?.["role"] === "system") return 0.2;
  return typeof body["max_tokens"] === "number" ? 0.6 : 0.3;
}

/** OpenAI's parts. They can also have `cache_control`, on servers that forward them to Anthropic. */
function isForeignPart(part: unknown): boolean {
  return isObject(part) && FOREIGN_PARTS.has(part["type"]);
}

function isOwnBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  return OWN_BLOCKS.has(block["type"]) || "cache_control" in block || isObject(block["source"]);
}
