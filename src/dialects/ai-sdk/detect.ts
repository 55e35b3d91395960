import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";

const EMPTY = 0.1;
const PLAIN = 0.4;
const SURE = 0.95;

/** A part that only this format has makes an array of messages sure. */
export function detect({ document }: Sample): number {
  if (!Array.isArray(document)) return 0;
  if (document.length === 0) return EMPTY;
  const scores = new Set(document.map(scoreOf));
  return scores.has(0) ? 0 : Math.max(...scores);
}

const roles: readonly unknown[] = ["system", "user", "assistant", "tool"];

/** Fields of the messages of other formats. */
const otherFields = ["parts", "tool_calls", "tool_call_id", "toolInvocations"];

/** Types of the blocks of other formats. */
const otherTypes: readonly unknown[] = ["tool_use", "tool_result", "toolCall", "thinking", "image_url"];

/** Only this format writes these types with a hyphen. */
const partTypes: readonly unknown[] = [
  "tool-call",
  "tool-result",
  "tool-approval-request",
  "tool-approval-response",
];

function scoreOf(message: unknown): number {
  if (!isObject(message) || !roles.includes(message["role"])) return 0;
  if (otherFields.some((field) => Object.hasOwn(message, field))) return 0;
  const { role, content } = message;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const types = parts.map((part) => (isObject(part) ? part["type"] : undefined));
  if (types.some((type) => otherTypes.includes(type))) return 0;
  if (types.some((type) => partTypes.includes(type)) || "providerOptions" in message) return SURE;
  const hasOptions = parts.some((part) => isObject(part) && ("providerOptions" in part || isMedia(part)));
  if (hasOptions || types.includes("reasoning")) return SURE;
  if (role !== "tool" && isString(content)) return PLAIN;
  return Array.isArray(content) ? PLAIN : 0;
}

function isMedia(part: Record<string, unknown>): boolean {
  return (
    (part["type"] === "file" && "data" in part && "mediaType" in part) ||
    (part["type"] === "image" && "image" in part)
  );
}
