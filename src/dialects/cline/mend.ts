import type { JsonRecord, Mended } from "../../core/dialect.js";
import { isHeader, isToolResult } from "./wire.js";

/** Writes string content as a text block, and `is_error: false` into results without `is_error`. */
export function mend(record: JsonRecord): Mended | undefined {
  const { role, content } = record;
  if (isHeader(record) || (role !== "user" && role !== "assistant")) return undefined;
  if (typeof content === "string") {
    return {
      records: [{ ...record, content: [{ type: "text", text: content }] }],
      changes: ["The content was a string; an array of one text block was written."],
    };
  }
  if (role !== "user" || !Array.isArray(content)) return undefined;
  const changes: string[] = [];
  const blocks = content.map((block: unknown) => {
    if (!isToolResult(block) || block["is_error"] !== undefined) return block;
    const id = JSON.stringify(block["tool_use_id"]);
    changes.push(`The result for ${id} had no is_error; false was written.`);
    return { ...block, is_error: false };
  });
  return changes.length === 0 ? undefined : { records: [{ ...record, content: blocks }], changes };
}
