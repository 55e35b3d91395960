import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { lineConfidence } from "../../core/records/line-scores.js";
import { LOOSE_TYPES, TREE_TYPES } from "./wire.js";

/** 1 if some line has a prompt or an answer; less if all lines are only of the known types. */
export function detect({ lines }: Sample): number {
  return lineConfidence(lines, scoreOf);
}

function scoreOf(line: unknown): number {
  if (!isObject(line) || typeof line["type"] !== "string" || line["role"] !== undefined) return 0;
  const { type, message, uuid } = line;
  if (type === "user" || type === "assistant") {
    if (!isObject(message) || message["role"] !== type) return 0;
    const { content } = message;
    return typeof content === "string" || Array.isArray(content) ? 1 : 0;
  }
  if (TREE_TYPES.has(type)) return typeof uuid === "string" ? 0.7 : 0;
  if (LOOSE_TYPES.has(type)) return 0.6;
  return typeof line["sessionId"] === "string" ? 0.1 : 0;
}
