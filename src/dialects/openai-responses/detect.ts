import { isObject } from "../../core/json/value.js";

const ownTypes = new Set(["function_call", "function_call_output", "reasoning", "item_reference"]);

/** How likely a document is a request, a response or a stream payload of this API. */
export function detect(document: unknown): number {
  if (!isObject(document)) return 0;
  const { object, type, input, messages, contents } = document;
  if (object === "response") return 0.98;
  if (typeof type === "string" && type.startsWith("response.")) return 0.95;
  if (messages !== undefined || contents !== undefined) return 0;
  if (typeof input === "string") return document["model"] === undefined ? 0.3 : 0.6;
  if (!Array.isArray(input)) return typeof document["instructions"] === "string" ? 0.3 : 0;
  return input.some(isOwnItem) ? 0.95 : 0.8;
}

function isOwnItem(item: unknown): boolean {
  return isObject(item) && typeof item["type"] === "string" && ownTypes.has(item["type"]);
}
