import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { attributesOf, hasList, SELECT_SPAN } from "./wire.js";

/** How many messages of a list are looked at. */
const SAMPLED = 20;

/** Sure if it has the conventions' attributes. Other formats have roles and parts too, but not the conventions' parts. */
export function detect({ document }: Sample): number {
  if (isObject(document)) return hasList(attributesOf(document)) ? 1 : 0;
  if (!Array.isArray(document) || document.length === 0) return 0;
  const messages: unknown[] = document.slice(0, SAMPLED);
  if (!messages.every(isMessage)) return 0;
  const parts = messages.flatMap((message) => message.parts);
  return parts.length > 0 && parts.every(isPart) ? 0.95 : 0;
}

/** For OTLP exports, which are many spans with attributes in another encoding. */
export function advise({ document }: Sample): string | undefined {
  return isObject(document) && Array.isArray(document["resourceSpans"]) ? SELECT_SPAN : undefined;
}

function isMessage(value: unknown): value is { role: string; parts: unknown[] } {
  return isObject(value) && typeof value["role"] === "string" && Array.isArray(value["parts"]);
}

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false;
  switch (part["type"]) {
    case "text":
    case "reasoning":
    case "blob":
      return typeof part["content"] === "string";
    case "tool_call":
    case "server_tool_call":
      return typeof part["name"] === "string";
    case "tool_call_response":
      return Object.hasOwn(part, "response");
    case "server_tool_call_response":
      return Object.hasOwn(part, "server_tool_call_response");
    case "uri":
      return typeof part["uri"] === "string";
    case "file":
      return typeof part["file_id"] === "string";
    case "compaction":
      return true;
    default:
      return false;
  }
}
