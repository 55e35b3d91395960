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

/** The name a note of that type has in the model. */
export function customTypeOf(type: string): string {
  return PREFIX + type;
}

/** The type of entry a message is written as, unless it says otherwise. */
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
  if (isNote && content === undefined && isNoteData(data)) {
    const { parentId } = message;
    const isAsRead = !movesLeaf({ type, parentId, ...(isObject(data) ? data : {}) });
    if (isAsRead) return type;
  }
  if (content === undefined) return "custom";
  return Object.keys(message).every((key) => customFields.has(key)) ? "custom_message" : "message";
}
