import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import type { CompactionMessage } from "../../core/types.js";
import { line, linesOf } from "./encode-lines.js";
import { notesOf, restoreLines } from "./notes.js";
import { timeText } from "./time.js";
import { payloadOf } from "./wire.js";

/**
 * A compaction. Its history is the replacement, which `convert` also provides for messages that are kept, or the summary
 * alone. Without `replacement_history`, Codex keeps the earlier messages of the user. If it is unknown which messages are
 * kept, that is the closest.
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
