import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { lineConfidence } from "../../core/records/line-scores.js";
import { isMessage } from "./wire.js";

/** High if some line has a role and a message, and all others have only a type. */
export function detect({ lines }: Sample): number {
  return lines.some((line) => isObject(line) && isMessage(line)) ? lineConfidence(lines, scoreOf) : 0;
}

function scoreOf(line: unknown): number {
  if (!isObject(line)) return 0;
  if (isMessage(line)) return line["type"] === undefined && hasContent(line["message"]) ? 0.95 : 0;
  return isString(line["type"]) && line["role"] === undefined && line["message"] === undefined ? 0.05 : 0;
}

function hasContent(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { content, role } = message;
  return role === undefined && (isString(content) || Array.isArray(content));
}
