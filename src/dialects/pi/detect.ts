import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

/** 1 if the first line is a header; 0.9 if some entry contains a message. */
export function detect({ lines }: Sample): number {
  if (lines.length === 0 || !lines.every(isEntry)) return 0;
  if (isHeader(lines[0])) return 1;
  return lines.some(carriesMessage) ? 0.9 : 0;
}

function isEntry(line: unknown): boolean {
  return isObject(line) && typeof line["type"] === "string" && line["role"] === undefined;
}

function isHeader(line: unknown): boolean {
  if (!isObject(line) || line["type"] !== "session") return false;
  return typeof line["id"] === "string" || typeof line["cwd"] === "string";
}

function carriesMessage(line: unknown): boolean {
  if (!isObject(line) || line["type"] !== "message" || !isObject(line["message"])) return false;
  return typeof line["message"]["role"] === "string";
}
