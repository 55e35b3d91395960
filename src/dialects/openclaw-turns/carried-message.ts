import type { JsonRecord } from "../../core/dialect.js";
import { setOwn } from "../../core/json/value.js";
import type { AgentMessage } from "../../core/types.js";
import { isTime } from "./wire.js";

/** Roles with their own turns. Messages of other roles are carried in the marks of a `system` turn. */
const PROPER = new Set(["user", "assistant", "toolResult", "system"]);

/** The field that is a message's text, by role. */
const textFields = new Map([
  ["compaction", "summary"],
  ["error", "content"],
  ["custom", "content"],
  ["agentMessage", "payload"],
]);

export interface Carried {
  /** For readers that do not know our marks. */
  text: string;
  /** The message field that `text` is, if it is one; `message` does not repeat it. */
  field?: string;
  message: JsonRecord;
  /** The fields that go into `metadata`. */
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

/** A message of an unknown role can have any value in these fields. */
function isIdentity(key: string, value: unknown): boolean {
  if (key === "parentId" && value === null) return true;
  return (key === "id" || key === "parentId" || key === "sender") && typeof value === "string";
}

function isCommon(key: string, value: unknown): boolean {
  return key === "ext" || (key === "timestamp" && isTime(value));
}

/** The carried message without the fields in `metadata`; undefined if `carry` would not have written it. */
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
