import type { LeafRole } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import type { AgentMessage } from "../../core/types.js";
import { customTypeOf, isAttachment, LAST_PROMPT } from "./encode-note.js";
import { isSide } from "./notes.js";

const NAMING = customTypeOf(LAST_PROMPT);

/** The leaf is the last prompt, answer or result of the main branch, unless a `last-prompt` line names another. */
export function leafRole(message: AgentMessage): LeafRole {
  if (isSide(message)) return "aside";
  switch (message.role) {
    case "assistant":
    case "toolResult":
    case "compaction":
      return "leaf";
    case "user":
      return isAttachment(message) ? "tail" : "leaf";
    case "custom":
      return namedLeaf(message.customType, message.data);
    default:
      return "tail";
  }
}

function namedLeaf(customType: string, data: unknown): LeafRole {
  const id = customType === NAMING && isObject(data) ? data["leafUuid"] : undefined;
  return isString(id) ? { id } : "tail";
}
