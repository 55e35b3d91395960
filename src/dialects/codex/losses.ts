import { isObject } from "../../core/json/value.js";
import type { AgentMessage, Loss } from "../../core/types.js";
import { readHistoryBase } from "./history-base.js";
import { notesOf } from "./notes.js";

/** What a file alone cannot state: the start of a session in another file, and the messages that Codex keeps by itself. */
export function lossesOf(message: AgentMessage): Omit<Loss, "at">[] {
  const notes = notesOf(message);
  if (message.role === "session") {
    const { fields } = notes;
    const base = isObject(fields) ? readHistoryBase(fields["history_base"]) : undefined;
    if (base === undefined) return [];
    const why = `it is in another file, whose name ends with ${base.rolloutId}.jsonl`;
    return [{ what: "the start of the session", why, severity: "dropped", of: "message" }];
  }
  if (message.role !== "compaction" || notes["open"] !== true) return [];
  const why = "Codex still shows them to the model, and lines have no ids by which to name them";
  return [{ what: "the user's messages before the compaction", why, severity: "approximated" }];
}
