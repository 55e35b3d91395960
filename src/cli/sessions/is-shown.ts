import { noteOf } from "../../core/message/notes.js";
import type { AgentMessage } from "../../core/types.js";
import { SOURCE } from "../../runtime/foreign.js";

/** Whether a message is part of the conversation. Of the notes about the session only losses are; `show --raw` prints all. */
export function isShown(message: AgentMessage): boolean {
  const note = noteOf(message);
  if (note?.type === "dragoman/losses") return true;
  if (message.role === "session" || note !== undefined) return false;
  return message.role !== "custom" || (message.customType !== SOURCE && !isProgramData(message));
}

/** Telemetry, snapshots and the like: dialects name them `<dialect>/<record type>`. */
function isProgramData({ customType, content }: Extract<AgentMessage, { role: "custom" }>): boolean {
  return content === undefined && customType.includes("/");
}
