import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { noteOf } from "../../core/message/notes.js";
import { carriedFields } from "../../core/records/carried-fields.js";
import type { AgentMessage, CustomMessage, ErrorMessage } from "../../core/types.js";
import { line } from "./encode-lines.js";
import { titleLine } from "./encode-session.js";
import { notesOf, othersIn } from "./notes.js";
import { timeText } from "./time.js";
import { CARRIED, NAME } from "./wire.js";

const PREFIX = `${NAME}/`;

/** The model's name for lines that the model has no message for. */
export function customTypeOf(type: string): string {
  return PREFIX + type;
}

export function errorLine(message: ErrorMessage, last: JsonRecord | undefined): JsonRecord {
  const { content, code } = message;
  const payload = {
    type: "error",
    message: content,
    ...(code === undefined ? {} : { codex_error_info: code }),
  };
  return line(timeText(message, last), "event_msg", payload);
}

/** The line of a custom message: a title, or one of Codex's own lines. */
export function customLine(message: CustomMessage, last: JsonRecord | undefined): JsonRecord | undefined {
  const note = noteOf(message);
  if (note?.type === "dragoman/meta") {
    const { title, ...others } = note.data;
    return title !== undefined && isEmpty(others) ? titleLine(timeText(message, last), title) : undefined;
  }
  return ownLine(message, last);
}

/** One of Codex's own lines, as it was. */
function ownLine(message: CustomMessage, last: JsonRecord | undefined): JsonRecord | undefined {
  const { customType, content, data } = message;
  const type = customType.slice(PREFIX.length);
  if (!customType.startsWith(PREFIX) || type === "" || data === undefined) return undefined;
  if (content !== (isObject(data) ? shownText(type, data) : undefined)) return undefined;
  if (notesOf(message)["bare"] === true && isObject(data)) return data;
  return line(timeText(message, last), type, data);
}

/** What another agent has sent to this one: Codex shows it to the model. */
export function shownText(type: string, { type: itemType, content }: JsonObject): string | undefined {
  const isShown =
    type === "inter_agent_communication" || (type === "response_item" && itemType === "agent_message");
  if (!isShown) return undefined;
  if (isString(content)) return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) => (isObject(part) ? part["text"] : undefined)).filter(isString);
  return texts.length > 0 ? texts.join("\n") : undefined;
}

/** A message without a line of its own is carried by a line that Codex skips. */
export function carriedLine(message: AgentMessage, last: JsonRecord | undefined): JsonRecord {
  return line(timeText(message, last), CARRIED, carriedFields(message, APART, othersIn(message.ext)));
}

const APART: ReadonlySet<string> = new Set(["timestamp"]);
