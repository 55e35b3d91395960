import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, setOwn } from "../../core/json/value.js";
import { SECONDS_END } from "../../core/time.js";
import type { AgentMessage } from "../../core/types.js";
import { writeInbound } from "./inbound.js";
import { omittedFields, writeExt } from "./metadata-ext.js";
import type { Notes } from "./notes.js";
import { isTime, type Marks, type SessionTurn, type TurnRole } from "./wire.js";

/** What a message's turns have in common. */
export interface Head {
  timestamp: number | undefined;
  metadata: JsonRecord;
  marks: Marks;
  /** Synthesised fields, which are not written. */
  omitted: readonly string[];
}

const common = ["role", "timestamp", "id", "parentId", "sender", "ext"];

/** The model's fields of each kind of message. */
export const modelFields = {
  userOrSystem: new Set([...common, "content"]),
  answer: new Set([...common, "content", "api", "provider", "model", "usage", "stopReason", "errorMessage"]),
  result: new Set([...common, "content", "toolCallId", "toolName", "details", "isError", "isPending"]),
};

/** `metadata` has the role's own fields, including synthesised ones, which are removed. */
export function headOf(
  message: AgentMessage,
  notes: Notes,
  fields: ReadonlySet<string>,
  metadata: JsonRecord,
): Head {
  const head: Head = { timestamp: undefined, metadata, marks: {}, omitted: omittedFields(message) };
  for (const pointer of head.omitted) Reflect.deleteProperty(metadata, pointer.slice(1));
  if (message.id !== undefined) metadata["id"] = message.id;
  if (message.parentId !== undefined) metadata["parentId"] = message.parentId;
  if (message.sender !== undefined) metadata["sender"] = message.sender;
  const record: JsonRecord = message;
  for (const key of Object.keys(record)) {
    if (fields.has(key) || record[key] === undefined) continue;
    head.marks.fields ??= {};
    setOwn(head.marks.fields, key, record[key]);
  }
  return addCommon(head, message, notes);
}

/** Adds the time and `ext`. */
export function addCommon(head: Head, message: AgentMessage, notes: Notes): Head {
  const { timestamp }: { timestamp: unknown } = message;
  if (isTime(timestamp) && !head.omitted.includes("/timestamp")) {
    head.timestamp = notes.seconds === true ? timestamp / 1000 : timestamp;
    if (notes.seconds !== true && looksLikeSeconds(timestamp)) head.marks.milliseconds = true;
  }
  const written = writeExt(message.ext, head.omitted);
  const { ext, metadata } = message.role === "user" ? writeInbound(written) : { ext: written, metadata: {} };
  Object.assign(head.metadata, metadata);
  if (ext !== undefined) head.metadata["ext"] = ext;
  return head;
}

export function looksLikeSeconds(timestamp: number): boolean {
  return Math.abs(timestamp) < SECONDS_END && timestamp !== 0;
}

export type TurnContent = Pick<SessionTurn, "content" | "mediaUrls">;

export function startTurn(
  role: TurnRole,
  { content, mediaUrls }: TurnContent,
  { timestamp }: Head,
): SessionTurn {
  const turn: SessionTurn = timestamp === undefined ? { role, content } : { role, content, timestamp };
  if (mediaUrls !== undefined) turn.mediaUrls = mediaUrls;
  return turn;
}

export function finishTurn(turn: SessionTurn, metadata: JsonRecord, marks: Marks): SessionTurn {
  if (!isEmpty(marks)) metadata["dragoman"] = marks;
  if (!isEmpty(metadata)) turn.metadata = metadata;
  return turn;
}
