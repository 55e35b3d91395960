import type { JsonRecord, Mended } from "../../core/dialect.js";
import { mendAssistant } from "./mend-calls.js";
import { mendTool, mendToolResult, mendUser } from "./mend-results.js";

/**
 * Rewrites the shapes of other formats, which the connectors of clawtools drop or choke on. Fields that are in nobody's
 * way stay. A record knows nothing of its neighbours, so a result whose tool is not named keeps an empty `toolName`.
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
