import type { JsonRecord, Mended } from "../../core/dialect.js";
import { mendMessage, mendTime } from "../../core/message/mend-message.js";
import { spellTime } from "./time.js";
import { isMessageEntry } from "./wire.js";

/** Corrects the entry's message, and writes the entry's time as ISO text. */
export function mend(entry: JsonRecord): Mended | undefined {
  const changes: string[] = [];
  const mended: JsonRecord = { ...entry };
  if (isMessageEntry(entry)) mended["message"] = mendMessage(entry.message, changes);
  if (typeof entry["timestamp"] === "number") {
    const ms = mendTime(entry["timestamp"], []);
    mended["timestamp"] = typeof ms === "number" ? spellTime(ms) : ms;
    if (typeof mended["timestamp"] === "string")
      changes.push("The entry's time was a number; ISO text was written.");
  }
  return changes.length > 0 ? { records: [mended], changes } : undefined;
}
