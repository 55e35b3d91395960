import type { JsonRecord } from "../../core/dialect.js";
import { copyOf, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { noteMessage } from "../../core/message/notes.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AgentMessage, CustomMessage, ErrorMessage } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { isCarriedByDefault } from "./encode.js";
import type { Surroundings } from "./encode-lines.js";
import { carriedLine, customLine, customTypeOf, errorLine, shownText } from "./encode-note.js";
import { extWith, guardedDifferences } from "./notes.js";
import { timeOf } from "./time.js";
import { CARRIED, kindOf, NAME, payloadOf } from "./wire.js";

/** A line that is not a response item, as the message it means, or as it is. */
export function readNote(
  record: JsonRecord,
  index: number,
  { last, isPlain = false }: Surroundings,
): AgentMessage {
  const time = timeOf(record);
  const synthesised = time === undefined ? ["/timestamp"] : [];
  const timestamp = time ?? 0;
  const carried = readCarried(record, timestamp);
  if (carried !== undefined) {
    const { ext } = carried;
    if (isPlain) return { ...carried, ...extWith({}, synthesised, ext) };
    const marked = { ...carried, ...extWith({}, synthesised, ext) };
    const form = isCarriedByDefault(carried) ? {} : { carried: true };
    const notes = guardedDifferences(record, carriedLine(marked, last));
    return { ...carried, ...extWith({ ...notes, ...form }, synthesised, ext) };
  }
  const error = readError(record, timestamp, synthesised);
  if (error !== undefined && isPlain) return error;
  if (error !== undefined) return noted(error, record, errorLine(error, last), synthesised);
  const custom =
    kindOf(record) === "title" ? readTitle(record, timestamp) : readOwn(record, index, timestamp);
  const bare = record["payload"] === undefined ? { bare: true } : {};
  const marked = { ...custom, ...extWith(bare, synthesised) };
  if (isPlain) return marked;
  return noted(custom, record, customLine(marked, last) ?? {}, synthesised, bare);
}

function noted(
  message: ErrorMessage | CustomMessage,
  record: JsonRecord,
  ours: JsonRecord,
  synthesised: readonly string[],
  more: JsonObject = {},
): AgentMessage {
  const { ext: _, ...plain } = message;
  return { ...plain, ...extWith({ ...guardedDifferences(record, ours), ...more }, synthesised) };
}

function readTitle(record: JsonRecord, timestamp: number): CustomMessage {
  const title = String(payloadOf(record)["thread_name"]);
  return noteMessage({ type: "dragoman/meta", data: { title } }, timestamp);
}

function readError(
  record: JsonRecord,
  timestamp: number,
  synthesised: readonly string[],
): ErrorMessage | undefined {
  const { type, message, codex_error_info: code } = payloadOf(record);
  if (record["type"] !== "event_msg" || type !== "error" || !isString(message)) return undefined;
  return {
    role: "error",
    content: message,
    ...(isString(code) ? { code } : {}),
    timestamp,
    ...extWith({}, synthesised),
  };
}

/** A message that we wrote and Codex has no line for. */
function readCarried({ type, payload }: JsonRecord, timestamp: number): AgentMessage | undefined {
  if (type !== CARRIED || !isObject(payload) || Object.hasOwn(payload, "timestamp")) return undefined;
  const message = copyOf(payload);
  message["timestamp"] = timestamp;
  return is("AgentMessage", message) && message.ext?.[NAME] === undefined ? message : undefined;
}

/** A line that the model has no message for. Its payload is data that no model is shown. */
function readOwn(record: JsonRecord, index: number, timestamp: number): CustomMessage {
  const type = typeOf(record, index);
  const { payload } = record;
  const data = payload === undefined ? record : payload;
  const content = isObject(data) ? shownText(type, data) : undefined;
  return {
    role: "custom",
    customType: customTypeOf(type),
    ...(content === undefined ? {} : { content }),
    data,
    timestamp,
  };
}

function typeOf(record: JsonRecord, index: number): string {
  const { type, record_type, role } = record;
  if (kindOf(record) === "session") return "session_meta";
  for (const name of [type, record_type, role]) if (isString(name) && name !== "") return name;
  throw unexpected(`/${index}/type`, "the type of a line", type);
}
