import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import type { AgentMessage, AssistantMessage } from "../../core/types.js";
import { blockValue, messageValue } from "./encode-values.js";
import { isMade, isUlid, makeId } from "./ids.js";
import { type Notes, readNotes } from "./notes.js";
import { formatTime, parseTime } from "./time.js";
import { blockId, EMPTY_TYPE, joins, ownRole } from "./wire.js";

/** Records whose ids ascend, regardless of the messages' own ids and times. */
export function encode(unit: readonly AgentMessage[], _next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  const records: JsonRecord[] = [];
  for (const message of unit) {
    const before = records.at(-1) ?? last;
    if (message.role !== "assistant") records.push(encodeOne(message, before));
    else for (const record of encodeAnswer(message, before)) records.push(record);
  }
  return records;
}

function encodeOne(
  message: Exclude<AgentMessage, AssistantMessage>,
  last: JsonRecord | undefined,
): JsonRecord {
  const notes = readNotes(message);
  const value = messageValue(message, notes.bare === true);
  const record = { ...frameOf(message, notes, last), v: restore(value, notes), ...notes.frame };
  record.i = idOf(message, notes, record, last);
  if (message.id !== undefined && message.id !== record.i && ownRole(`${value["type"]}`) !== undefined) {
    record.v["id"] = message.id;
  }
  return record;
}

function encodeAnswer(message: AssistantMessage, last: JsonRecord | undefined): JsonRecord[] {
  const notes = readNotes(message);
  const frame = frameOf(message, notes, last);
  const parts: { value: JsonObject; own: Notes }[] = message.content.map((block) => ({
    value: blockValue(block),
    own: readNotes(block),
  }));
  if (parts.length === 0) parts.push({ value: { type: EMPTY_TYPE }, own: withoutTime(notes) });
  let previous: (JsonRecord & { i: string }) | undefined;
  return parts.map(({ value, own }) => {
    if (message.sender !== undefined) value["sender"] = message.sender;
    const record: JsonRecord & { i: string } = { ...frame, v: restore(value, own), ...own.frame };
    if (own.untimed === true) Reflect.deleteProperty(record, "t");
    else if (own.t !== undefined) record["t"] = own.t;
    if (previous === undefined) record.i = idOf(message, notes, record, last);
    else record.i = blockIdOf(own, record, previous);
    previous = record;
    return record;
  });
}

/** The block's noted id, if it keeps the transcript in order and joins the block to its message. */
function blockIdOf({ i }: Notes, record: JsonRecord, previous: JsonRecord & { i: string }): string {
  const isOwn = i !== undefined && i > previous.i && joins(previous, { ...record, i });
  return isOwn ? i : blockId(previous, record);
}

/** `timeOf` has already used the message's noted time; a block's noted time is used unchecked. */
function withoutTime({ t: _, ...notes }: Notes): Notes {
  return notes;
}

/** A record's fields besides its value. The id is set last, because it depends on the others. */
function frameOf(
  message: AgentMessage,
  notes: Notes,
  last: JsonRecord | undefined,
): JsonRecord & { i: string } {
  const s = streamOf(notes, last);
  const t = timeOf(message, notes);
  return { ...(s === undefined ? {} : { s }), i: "", ...(t === undefined ? {} : { t }) };
}

/** Streams follow one another in the order of their names, and either every record has one or none has. */
function streamOf(notes: Notes, last: JsonRecord | undefined): unknown {
  if (last === undefined) return notes.s;
  const { s } = last;
  return typeof s === "string" && notes.s !== undefined && notes.s > s ? notes.s : s;
}

/** Undefined if the source has no time. */
function timeOf(message: AgentMessage, { t }: Notes): unknown {
  const isUnknown = isSynthesised(message, "/timestamp");
  if (t !== undefined && (isUnknown || parseTime(t) === message.timestamp)) return t;
  return isUnknown ? undefined : formatTime(message.timestamp);
}

/**
 * The message's own id, if it is valid for Timbal, keeps the transcript in order, and does not join the message to the
 * answer before it; otherwise a made id, which marks a message without an id.
 */
function idOf(message: AgentMessage, notes: Notes, record: JsonRecord, last: JsonRecord | undefined): string {
  const after = last !== undefined && last["s"] === record["s"] ? last : undefined;
  const before = typeof after?.["i"] === "string" ? after["i"] : undefined;
  const own =
    notes.i ??
    (message.id !== undefined && isUlid(message.id) && !isMade(message.id) ? message.id : undefined);
  const isInOrder = own !== undefined && (before === undefined || own > before);
  if (isInOrder && !(after !== undefined && joins(after, { ...record, i: own }))) return own;
  return makeId(before, isSynthesised(message, "/timestamp") ? 0 : message.timestamp);
}
