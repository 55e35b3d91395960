import type { JsonRecord } from "../../core/dialect.js";
import { setOwn } from "../../core/json/value.js";
import type { AgentMessage } from "../../core/types.js";
import { isTime } from "./wire.js";

/** Roles that have a turn of their own. The others travel in a `system` turn, the message in its marks. */
const PROPER = new Set(["user", "assistant", "toolResult", "system"]);

/** Where a message has a text of its own. */
const textFields = new Map([
  ["compaction", "summary"],
  ["error", "content"],
  ["custom", "content"],
  ["agentMessage", "payload"],
]);

export interface Carried {
  /** For those who read the turn and know nothing of the message. */
  text: string;
  /** The field of the message that the text is, if it is one; it is not carried twice. */
  field?: string;
  message: JsonRecord;
  /** What every message may have and stands in `metadata`. */
  placed: JsonRecord;
}

export function carry(source: AgentMessage): Carried {
  const { role }: { role: string } = source;
  const field = textFields.get(role);
  const carried: Carried = { text: "", message: {}, placed: {} };
  for (const [key, value] of Object.entries(source)) {
    if (key === field && typeof value === "string") {
      carried.field = field;
      carried.text = value;
    } else if (isIdentity(key, value)) carried.placed[key] = value;
    else if (!isCommon(key, value)) setOwn(carried.message, key, value);
  }
  if (carried.field === undefined) carried.text = headline(source);
  return carried;
}

/** Somebody's own message may have anything in these fields. */
function isIdentity(key: string, value: unknown): boolean {
  if (key === "parentId" && value === null) return true;
  return (key === "id" || key === "parentId" || key === "sender") && typeof value === "string";
}

function isCommon(key: string, value: unknown): boolean {
  return key === "ext" || (key === "timestamp" && isTime(value));
}

/** The carried message, but for the fields of every message; undefined if it is none that would be carried. */
export function uncarry(
  message: JsonRecord,
  field: unknown,
  text: string | undefined,
): JsonRecord | undefined {
  if (typeof message["role"] !== "string" || PROPER.has(message["role"])) return undefined;
  if (field === undefined) return message;
  return typeof field === "string" && text !== undefined ? { ...message, [field]: text } : undefined;
}

function headline(message: AgentMessage): string {
  switch (message.role) {
    case "session":
      return `session ${message.key ?? message.id ?? message.agent ?? "started"}`;
    case "status":
      return message.detail === undefined ? message.state : `${message.state}: ${message.detail}`;
    case "agentComplete":
      return `agent ${message.agentId} completed`;
    case "agentMessage":
      return `message from agent ${message.senderId}`;
    case "custom":
      return message.customType;
    default:
      return message.role;
  }
}
