import { isObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { countsIn } from "../../core/records/interleave.js";
import { isoTime } from "../../core/time.js";
import type { AgentMessage, Loss } from "../../core/types.js";
import { timeOf } from "./frame.js";
import { laterLines, notesOf, withNotes } from "./notes.js";
import { NAME } from "./wire.js";

/**
 * An answer whose lines have different times. Claude Code before 2.1 opens a session at the first of the newest lines, and so
 * would lose the rest of an answer whose lines were written in the same millisecond.
 */
export function separateLines(message: AgentMessage, onLoss: (loss: Loss) => void): AgentMessage {
  if (message.role !== "assistant" || isSynthesised(message, "/timestamp")) return message;
  // The encoder separates the lines of other programs' answers.
  if (message.ext?.[NAME] === undefined) return message;
  const notes = notesOf(message);
  const counts = countsIn(notes["counts"]);
  const counted = counts.reduce((sum, count) => sum + count, 0);
  const later = counts.length + Math.max(0, message.content.length - counted) - 1;
  const known = laterLines(notes);
  let last = message.timestamp;
  let isSame = true;
  const lines = Array.from({ length: later }, (_, index) => {
    const line = known[index] ?? {};
    const fields = isObject(line["fields"]) ? line["fields"] : {};
    const own = timeOf(fields) ?? last;
    if (own > last) {
      last = own;
      return line;
    }
    last++;
    isSame = false;
    return { ...line, fields: { ...fields, timestamp: isoTime(last) } };
  });
  if (isSame) return message;
  onLoss({
    at: "",
    what: "the time of an answer's line",
    why: "earlier versions of the program need a later time than that of the line before",
    severity: "approximated",
  });
  return withNotes(message, { lines });
}
