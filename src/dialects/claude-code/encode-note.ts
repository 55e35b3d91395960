import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { noteOf } from "../../core/message/notes.js";
import { emptyUsage } from "../../core/message/usage.js";
import { carriedFields } from "../../core/records/carried-fields.js";
import { isAbsent } from "../../core/records/deviation.js";
import { isoTime } from "../../core/time.js";
import type {
  AgentMessage,
  CustomMessage,
  ErrorMessage,
  SystemMessage,
  UserMessage,
} from "../../core/types.js";
import { isUuid } from "../../core/uuid.js";
import { usageOf } from "./encode-answer.js";
import { framed, frameOf, uuidOf } from "./frame.js";
import { notesOf, othersIn } from "./notes.js";
import { FRAME, isLink, kindOf, NAME, TITLES } from "./wire.js";

const PREFIX = `${NAME}/`;

/** The type of lines that name the leaf. */
export const LAST_PROMPT = "last-prompt";

/** The model's name for lines of a type that the model has no message for. */
export function customTypeOf(type: string): string {
  return PREFIX + type;
}

/** An error of the API, shown to the user and not to the model. */
export function errorLine(message: ErrorMessage, last: JsonRecord): JsonRecord {
  const { before, after } = frameOf(message, last);
  return {
    ...before,
    type: "assistant",
    message: {
      id: String(after["uuid"]),
      type: "message",
      role: "assistant",
      model: "<synthetic>",
      content: [{ type: "text", text: message.content }],
      stop_reason: "stop_sequence",
      stop_sequence: "",
      usage: usageOf(emptyUsage()),
    },
    ...(message.code === undefined ? {} : { error: message.code }),
    isApiErrorMessage: true,
    ...after,
  };
}

/** Text that the program adds for the model. */
export function attachmentLine(message: SystemMessage | UserMessage, last: JsonRecord): JsonRecord {
  const { before, after } = frameOf(message, last);
  const { content } = message;
  const texts =
    typeof content === "string"
      ? [content]
      : content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return {
    ...before,
    attachment: { type: "dragoman" },
    type: "attachment",
    ...after,
    rendered: texts.map((text) => ({ content: text })),
    renderedRole: message.role,
  };
}

/** Whether a message was read from, or can be written as, a line with the text of an attachment. */
export function isAttachment(message: SystemMessage | UserMessage): boolean {
  if (notesOf(message)["type"] === "attachment") return true;
  return message.role === "system" && message.content.length > 0;
}

/** The line of a title, unless the message has a place in the tree. */
export function titleLine(message: CustomMessage, last: JsonRecord): JsonRecord | undefined {
  const note = noteOf(message);
  if (note?.type !== "dragoman/meta" || message.parentId !== undefined) return undefined;
  const { title, ...others } = note.data;
  if (title === undefined || !isEmpty(others)) return undefined;
  const { type } = notesOf(message);
  const named = typeof type === "string" ? type : "custom-title";
  const field = TITLES.get(named);
  return field === undefined ? undefined : titleRecord(named, field, title, last);
}

export function titleRecord(
  type: string,
  field: string,
  title: string,
  { sessionId }: JsonRecord,
): JsonRecord {
  return { type, [field]: title, ...(type === "summary" || sessionId === undefined ? {} : { sessionId }) };
}

/** The line that names the leaf. Claude Code opens the branch that ends there. */
export function leafLine(message: CustomMessage, { sessionId }: JsonRecord): JsonRecord | undefined {
  if (noteOf(message)?.type !== "dragoman/leaf" || typeof message.parentId !== "string") return undefined;
  return {
    type: LAST_PROMPT,
    leafUuid: uuidOf(message.parentId),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

/** A line of our own type, as it was; undefined if its data would be read as something else. */
export function ownLine(message: CustomMessage, last: JsonRecord): JsonRecord | undefined {
  const { customType, content, data = {} } = message;
  const type = customType.slice(PREFIX.length);
  if (!customType.startsWith(PREFIX) || type === "" || content !== undefined || !isObject(data))
    return undefined;
  if (!isInTree(message)) {
    const time = isSynthesised(message, "/timestamp") ? {} : { timestamp: isoTime(message.timestamp) };
    const loose: JsonRecord = { type, ...data, ...time };
    return isReadable(loose) && kindOf(loose) === "loose" ? loose : undefined;
  }
  const own: JsonObject = { type };
  for (const key in data) {
    if (FRAME.has(key)) return undefined;
    setOwn(own, key, data[key]);
  }
  const line = framed(frameOf(message, last), own);
  return isReadable(line) && kindOf(line) === "note" ? line : undefined;
}

/** Whether a line that is not read as a message can have this type. */
function isReadable({ type, isApiErrorMessage }: JsonRecord): boolean {
  return type !== "user" && (type !== "assistant" || isApiErrorMessage === true);
}

/** Whether a message of our own type has a place in the tree. A line without a readable parent is noted as such. */
function isInTree(message: CustomMessage): boolean {
  const notes = notesOf(message);
  return message.parentId !== undefined || isAbsent(notes, "parentUuid") || notes["parent"] !== undefined;
}

/** Whether a message becomes a loose line. */
export function isLoose(message: AgentMessage): boolean {
  if (message.role === "session") return true;
  if (message.role !== "custom") return false;
  if (message.customType.startsWith(PREFIX)) return !isInTree(message);
  return (titleLine(message, {}) ?? leafLine(message, {})) !== undefined;
}

/**
 * A message without a line of its own is carried by a system line, which Claude Code does not send. It keeps the tree
 * connected.
 */
export function carriedLine(message: AgentMessage, last: JsonRecord): JsonRecord {
  const content = { type: "system", subtype: "informational", content: "", isMeta: true };
  const line = framed(frameOf(message, last), content);
  line["level"] = "info";
  line["dragoman"] = carriedFields(message, CARRIED_APART, othersIn(message.ext));
  return line;
}

const CARRIED_APART: ReadonlySet<string> = new Set(["id", "parentId", "timestamp"]);

/**
 * Whether there is a place for a message that is not a prompt or an answer. Other programs' messages are not written at the
 * start: Claude Code lists only sessions that start with a prompt. What was already a line stays.
 */
export function isPlaced(message: AgentMessage, last: JsonRecord): boolean {
  const { id, parentId } = message;
  const wasLine = parentId !== undefined && id !== undefined && isUuid(id);
  return isLink(last) || wasLine || !isEmpty(notesOf(message));
}

export function isCarried({ type, subtype, dragoman }: JsonObject): boolean {
  return type === "system" && subtype === "informational" && isObject(dragoman);
}
