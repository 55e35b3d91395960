import { isObject, type JsonObject } from "../../core/json/value.js";

const OWN_FIELDS = [
  "max_completion_tokens",
  "stream_options",
  "response_format",
  "reasoning_effort",
  "parallel_tool_calls",
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
];
/** Fields of similar requests: Anthropic's and Ollama's. */
const FOREIGN_FIELDS = ["system", "keep_alive", "think", "contents", "input", "version"];

/** High for fields that only this API has; medium for any request with a model and messages. */
export function detect(document: unknown): number {
  if (!isObject(document)) return 0;
  const { object, messages, model } = document;
  if (object === "chat.completion" || object === "chat.completion.chunk") return 0.97;
  if (!Array.isArray(messages) || !messages.every(isObject)) return 0;
  if (FOREIGN_FIELDS.some((field) => field in document) || messages.some(isForeign)) return 0;
  if (OWN_FIELDS.some((field) => field in document)) return 0.95;
  if (messages.some(isOwn)) return 0.95;
  if (typeof model !== "string") return 0.2;
  return messages.some(({ role }) => role === "system") ? 0.55 : 0.5;
}

function isOwn(message: JsonObject): boolean {
  const { role } = message;
  if (role === "developer" || "tool_call_id" in message || "function_call" in message) return true;
  if (callsOf(message).some((call) => typeof argumentsOf(call) === "string")) return true;
  return partsOf(message).some(
    ({ type }) => type === "image_url" || type === "input_audio" || type === "refusal",
  );
}

function isForeign(message: JsonObject): boolean {
  const { images } = message;
  if ("tool_name" in message || (Array.isArray(images) && typeof images[0] === "string")) return true;
  if (callsOf(message).some((call) => isObject(argumentsOf(call)))) return true;
  return partsOf(message).some(({ type }) => type === "tool_use" || type === "tool_result");
}

function callsOf({ tool_calls }: JsonObject): JsonObject[] {
  return Array.isArray(tool_calls) ? tool_calls.filter(isObject) : [];
}

function argumentsOf({ function: called }: JsonObject): unknown {
  return isObject(called) ? called["arguments"] : undefined;
}

function partsOf({ content }: JsonObject): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [];
}
