import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { isVersion4 } from "./version-4.js";

const EMPTY = 0.2;
const PLAIN = 0.5;
const SURE = 0.95;

/** Messages with parts are sure. Messages of AI SDK 4 without calls look like the messages of other formats. */
export function detect({ document }: Sample): number {
  if (!Array.isArray(document)) return 0;
  if (document.length === 0) return EMPTY;
  const scores = document.map(scoreOf);
  return scores.includes(0) ? 0 : Math.max(...new Set(scores));
}

const roles: readonly unknown[] = ["system", "user", "assistant"];

function scoreOf(message: unknown): number {
  if (!isObject(message) || !roles.includes(message["role"])) return 0;
  const { parts, toolInvocations, id } = message;
  if (Array.isArray(parts)) {
    const isEmptyOrTyped = parts.length === 0 || parts.some(isTyped);
    return isEmptyOrTyped && !parts.some(isConvention) ? SURE : 0;
  }
  if (!isVersion4(message) || !isString(id) || "tool_calls" in message) return 0;
  return Array.isArray(toolInvocations) || "createdAt" in message ? SURE : PLAIN;
}

function isTyped(part: unknown): boolean {
  return isObject(part) && isString(part["type"]);
}

/** OpenTelemetry's messages have parts too, with their texts in `content`. */
function isConvention(part: unknown): boolean {
  if (!isObject(part) || isString(part["text"])) return false;
  return (part["type"] === "text" || part["type"] === "reasoning") && isString(part["content"]);
}
