import type { Shape } from "../../core/api-rules.js";
import { blockAt, type Entry, isAssistant, isResult, type Report } from "./entry.js";
import { Renamer } from "./rename.js";

/** Makes tool ids fit an API. One map serves calls and results. */
export function fitIds(entries: readonly Entry[], shape: Shape | undefined, report: Report): Entry[] {
  const names = new Renamer(shape);
  return entries.map((entry) => {
    if (isResult(entry)) {
      return {
        ...entry,
        message: { ...entry.message, toolCallId: names.accepted(entry.message.toolCallId) },
      };
    }
    if (!isAssistant(entry)) return entry;
    const content = entry.message.content.map((block, index) => {
      if (block.type !== "toolCall") return block;
      const id = names.accepted(block.id);
      if (id !== block.id) {
        report({
          at: blockAt(entry, index, "/id"),
          what: `the tool id "${block.id}"`,
          why: `this API does not take it; "${id}" is sent instead`,
          severity: "approximated",
        });
      }
      return { ...block, id };
    });
    return { ...entry, message: { ...entry.message, content } };
  });
}
