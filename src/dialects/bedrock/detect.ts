import { isObject, type JsonObject } from "../../core/json/value.js";
import { memberOf, objectIn } from "./wire.js";

const EVENTS = new Set([
  "messageStart",
  "contentBlockStart",
  "contentBlockDelta",
  "contentBlockStop",
  "messageStop",
]);
const OWN_FIELDS = [
  "modelId",
  "toolConfig",
  "inferenceConfig",
  "additionalModelRequestFields",
  "guardrailConfig",
];
const BLOCKS = new Set([
  "text",
  "image",
  "document",
  "video",
  "audio",
  "toolUse",
  "toolResult",
  "guardContent",
  "cachePoint",
  "reasoningContent",
  "citationsContent",
  "searchResult",
]);

/** High for events, responses, and requests whose content blocks have no type. */
export function detect(document: unknown): number {
  if (!isObject(document)) return 0;
  const { kind = "", value } = memberOf(document) ?? {};
  if (EVENTS.has(kind) && isObject(value)) return 0.95;
  if (kind === "metadata" && objectIn(value, "usage") !== undefined) return 0.7;
  if (Array.isArray(objectIn(document["output"], "message")?.["content"])) return 0.95;
  const { messages } = document;
  if (!Array.isArray(messages) || !messages.every(isMessage)) return 0;
  if (OWN_FIELDS.some((field) => field in document)) return 0.97;
  return messages.some(({ content }) => content.some(isOwnBlock)) ? 0.9 : 0;
}

/** Blocks of other APIs have a type. */
function isMessage(message: unknown): message is { content: JsonObject[] } {
  if (!isObject(message)) return false;
  const { role, content } = message;
  const isRole = role === "user" || role === "assistant" || role === "system";
  return isRole && Array.isArray(content) && content.every((block) => isObject(block) && !("type" in block));
}

function isOwnBlock(block: JsonObject): boolean {
  return Object.keys(block).some((kind) => BLOCKS.has(kind));
}
