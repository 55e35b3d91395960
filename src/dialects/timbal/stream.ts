import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

/** The frames in which a complete message arrives live: start, text, and the message itself. */
export function live(record: JsonRecord, cut: (text: string) => Iterable<string>): JsonRecord[] {
  const { i, s, v } = record;
  const text = isObject(v) ? streamedText(v) : undefined;
  if (!isObject(v) || text === undefined) return [record];
  const { content: _, arguments: __, ...m } = v;
  const frame = s === undefined ? { i } : { s, i };
  const appends = Array.from(cut(text), (a) => ({ ...frame, a }));
  return [{ ...frame, m }, ...appends, record];
}

function streamedText({ type, content, arguments: args }: JsonRecord): string | undefined {
  if (type === "agent" || type === "thinking") return typeof content === "string" ? content : undefined;
  return type === "tool_call" && isObject(args) ? JSON.stringify(args) : undefined;
}
