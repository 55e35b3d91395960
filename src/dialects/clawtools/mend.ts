import type { JsonRecord, Mended } from "../../core/dialect.js";
import { mendAssistant } from "./mend-calls.js";
import { mendTool, mendToolResult, mendUser } from "./mend-results.js";

/**
 * Rewrites other formats' shapes, which clawtools connectors drop or fail on. Harmless extra fields stay. A single record
 * does not show its call, so a result that does not name its tool gets an empty `toolName`.
 */
export function mend(record: JsonRecord): Mended | undefined {
  const changes: string[] = [];
  const records = mended(record, changes);
  return changes.length > 0 ? { records, changes } : undefined;
}

function mended(record: JsonRecord, changes: string[]): JsonRecord[] {
  switch (record["role"]) {
    case "user":
      return mendUser(record, changes);
    case "assistant":
      return [mendAssistant(record, changes)];
    case "toolResult":
      return [mendToolResult(record, changes)];
    case "tool":
      return [mendTool(record, changes)];
    default:
      return [record];
  }
}
