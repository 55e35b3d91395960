import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import type { CompactionMessage } from "../../core/types.js";
import { line, linesOf } from "./encode-lines.js";
import { notesOf, restoreLines } from "./notes.js";
import { timeText } from "./time.js";
import { payloadOf } from "./wire.js";

/**
 * A compaction. Without `replacement_history`, Codex also keeps the earlier messages of the user. So it is left out if
 * messages are kept, and otherwise contains the summary alone.
 */
export function compactionLine(message: CompactionMessage, last: JsonRecord | undefined): JsonRecord {
  const history = historyOf(message, last);
  return line(timeText(message, last), "compacted", {
    message: message.summary,
    ...(history === undefined ? {} : { replacement_history: history }),
  });
}

function historyOf(message: CompactionMessage, last: JsonRecord | undefined): JsonObject[] | undefined {
  const { summary, replacement, firstKeptId, keptIds } = message;
  if (replacement !== undefined) {
    return replacement.flatMap((one) => {
      const { records } = linesOf(one, { last, isHistory: true }) ?? { records: [] };
      return restoreLines(records, notesOf(one)["lines"]).map(payloadOf);
    });
  }
  const hasOthers = firstKeptId !== undefined || keptIds !== undefined || notesOf(message)["open"] === true;
  return hasOthers || summary === "" ? undefined : [summaryItem(summary)];
}

export function summaryItem(text: string): JsonObject {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
