import { isObject, type JsonObject } from "../../core/json/value.js";

/** Fields of other APIs whose requests are otherwise the same. */
const foreign = [
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "tool_choice",
  "response_format",
  "stream_options",
  "system",
];

/** `qwen3:8b` */
const TAGGED = /^(?!ft:)[^:]+:[\w.-]+$/;

/** High for fields that only Ollama has; a plain request could belong to several APIs. */
export function detect(document: unknown): number {
  if (!isObject(document) || typeof document["model"] !== "string") return 0;
  const { model, messages, options, created_at, message, done } = document;
  if (isObject(message) && typeof done === "boolean" && typeof created_at === "string") return 0.98;
  if (messages !== undefined && !(Array.isArray(messages) && messages.every(isMessage))) return 0;
  if (Array.isArray(messages) && messages.some(isOwn)) return 0.95;
  if (isObject(options) || "keep_alive" in document || "think" in document) return 0.9;
  if (messages === undefined || foreign.some((field) => field in document)) return 0;
  return TAGGED.test(model) ? 0.55 : 0.3;
}

function isMessage(value: unknown): value is JsonObject {
  if (!isObject(value) || typeof value["role"] !== "string") return false;
  return value["content"] === undefined || value["content"] === null || typeof value["content"] === "string";
}

function isOwn(message: JsonObject): boolean {
  const { images, tool_calls: calls } = message;
  if ("tool_name" in message || typeof message["thinking"] === "string" || Array.isArray(images)) return true;
  return Array.isArray(calls) && calls.some(hasObjectArguments);
}

function hasObjectArguments(call: unknown): boolean {
  return isObject(call) && isObject(call["function"]) && isObject(call["function"]["arguments"]);
}
