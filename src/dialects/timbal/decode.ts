import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isBoolean, isString } from "../../core/json/value.js";
import type { FieldReader } from "../../core/records/field-reader.js";
import type { AgentMessage, ToolResultMessage } from "../../core/types.js";
import { is, mismatches } from "../../core/validate.js";
import { decodeAnswer } from "./decode-answer.js";
import { envelope, fieldsOf, notesOfFrame } from "./decode-envelope.js";
import { isMade } from "./ids.js";
import { isForeign } from "./notes.js";
import { EMPTY_TYPE, isPart, joins, ownRole, pick, readRecord, type WireRecord } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  const decoded: Decoded[] = [];
  for (let start = 0, end = 0; start < unit.length; start = end) {
    end = start + 1;
    while (end < unit.length && joins(unit[end - 1] ?? {}, unit[end] ?? {})) end++;
    const [first, ...more] = unit.slice(start, end).map((record, at) => readRecord(record, `/${start + at}`));
    if (first === undefined) break;
    if (isPart(first.type) || first.type === EMPTY_TYPE) {
      decoded.push({ message: decodeAnswer(first, more), record: start });
    } else decoded.push({ message: decodeOne(first), record: start, base: "/v" });
  }
  return decoded;
}

/** `rest()` notes the fields that are still unread, so it must come last in each object. */
function decodeOne(record: WireRecord): AgentMessage {
  const fields = fieldsOf(record);
  const rest = () => enveloped(record, fields);
  switch (record.type) {
    case "user":
      return { role: "user", content: fields.text("content"), ...rest() };
    case "tool_result":
      return decodeResult(record, fields);
    case "status":
      return {
        role: "status",
        state: fields.text("state"),
        ...fields.optional("detail", isString),
        ...rest(),
      };
    case "error":
      return {
        role: "error",
        content: fields.text("content"),
        ...fields.optional("code", isString),
        ...fields.optional("recoverable", isBoolean),
        ...rest(),
      };
    case "agent_complete": {
      const agentId = fields.text("agentId");
      return { role: "agentComplete", agentId, result: jsonIn(fields, "result"), ...rest() };
    }
    case "agent_message":
      return {
        role: "agentMessage",
        senderId: fields.text("senderId"),
        payload: jsonIn(fields, "payload"),
        ...fields.optional("replyTo", isString),
        ...rest(),
      };
    default:
      return decodeOther(record, fields);
  }
}

function jsonIn(fields: FieldReader, name: string): unknown {
  const value = fields.take(name);
  return value === undefined ? fields.missing(name, null) : value;
}

function enveloped(record: WireRecord, fields: FieldReader) {
  const notes = { ...notesOfFrame(record), ...fields.notes() };
  return envelope(record, { notes, synthesised: fields.synthesised });
}

function decodeResult(record: WireRecord, fields: FieldReader): ToolResultMessage {
  const toolCallId = fields.text("toolCallId");
  const { name: toolName } = fields.optional("name", isString);
  if (toolName === undefined) fields.synthesised.push("/toolName");
  const status = fields.peek("status");
  const isError = status === "error" || (status !== "success" && fields.peek("error") !== undefined);
  if (status === undefined) fields.missing("status", isError, "/isError");
  else if (status === (isError ? "error" : "success")) fields.drop("status");
  const field = isError ? "error" : "output";
  const outcome = fields.take(field);
  if (outcome === undefined) fields.absent(field);
  return {
    role: "toolResult",
    toolCallId,
    toolName: toolName ?? "",
    ...outcomeContent(outcome),
    isError,
    ...enveloped(record, fields),
  };
}

/** An empty text is no content. A value that is not text becomes its JSON text for the model, and `details` for programs. */
function outcomeContent(outcome: unknown): Pick<ToolResultMessage, "content" | "details"> {
  if (outcome === undefined || outcome === "") return { content: [] };
  if (typeof outcome === "string") return { content: [{ type: "text", text: outcome }] };
  return { content: [{ type: "text", text: JSON.stringify(outcome) }], details: outcome };
}

function decodeOther(record: WireRecord, fields: FieldReader): AgentMessage {
  const { type } = record;
  const role = type === undefined ? undefined : ownRole(type);
  if (role !== undefined) return decodeOwn(record, fields, role);
  const notes = notesOfFrame(record);
  if (type === undefined && fields.peek("type") === undefined) notes.absent = ["type"];
  if (type?.startsWith("x-") !== true) notes.bare = true;
  return {
    role: "custom",
    customType: type ?? "",
    data: fields.rest,
    ...envelope(record, { notes, synthesised: type === undefined ? ["/customType"] : [] }),
  };
}

/** A message in one of our own types: the value has the message's fields. */
function decodeOwn(record: WireRecord, fields: FieldReader, role: string): AgentMessage {
  const { id, ext, role: _, timestamp: __, ...own } = fields.rest;
  const notes = notesOfFrame(record);
  if (id !== undefined && !isMade(record.i)) notes.i = record.i;
  // We never write these fields here, but another program may have.
  notes.fields = pick(fields.rest, isForeign(ext) ? ["role", "timestamp"] : ["role", "timestamp", "ext"]);
  const message = {
    role,
    ...own,
    ...envelope(record, { notes, synthesised: [], ...(isForeign(ext) ? { others: ext } : {}) }),
    ...(id === undefined ? {} : { id }),
  };
  if (is("AgentMessage", message)) return message;
  const [first] = mismatches("AgentMessage", message);
  throw new DragomanError("model/invalid", `expected ${first?.expected}, found ${first?.found}`, {
    at: `${record.at}/v${first?.at ?? ""}`,
  });
}
