import { isObject } from "../../core/json/value.js";
import type { AgentMessage } from "../../core/types.js";
import { isNoteData, isShaped, movesLeaf, NAME } from "./wire.js";

const customFields: ReadonlySet<string> = new Set([
  "role",
  "customType",
  "content",
  "data",
  "timestamp",
  "id",
  "parentId",
  "sender",
  "ext",
]);

const PREFIX = `${NAME}/`;

/** The model's name for notes of that type. */
export function customTypeOf(type: string): string {
  return PREFIX + type;
}

/** The entry type for a message (default: the one in its notes). */
export function typeFor(message: AgentMessage): string {
  switch (message.role) {
    case "session":
    case "compaction":
      return message.role;
    case "custom":
      return typeForCustom(message);
    default:
      return "message";
  }
}

function typeForCustom(message: Extract<AgentMessage, { role: "custom" }>): string {
  const { customType, content, data } = message;
  const type = customType.slice(PREFIX.length);
  const isNote = customType.startsWith(PREFIX) && type !== "" && !isShaped(type);
  if (content === undefined) {
    const { parentId } = message;
    const moves = movesLeaf({ type, parentId, ...(isObject(data) ? data : {}) });
    return isNote && isNoteData(data) && !moves ? type : "custom";
  }
  return Object.keys(message).every((key) => customFields.has(key)) ? "custom_message" : "message";
}
