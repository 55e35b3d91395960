import type { JsonRecord } from "../../core/dialect.js";
import { fnv1aHex } from "../../core/hash.js";
import { stableJson } from "../../core/json/stable.js";
import { isString, type JsonObject, setOwn } from "../../core/json/value.js";
import { folderOf } from "../../core/message/folder.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import { instantOf, isoTime } from "../../core/time.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { isUuid, uuidFor } from "../../core/uuid.js";
import { extWith, notesOf } from "./notes.js";
import { isLink, kindOf, REPEATED, VERSION } from "./wire.js";

const FIRST: JsonObject = {
  userType: "external",
  cwd: "",
  version: VERSION,
  gitBranch: "",
  entrypoint: "cli",
};

/**
 * The session of a file, from the first line of the tree and those before it. It has no time of its own, so it gets that of
 * the first line.
 * `title` is that of a title line at the very start.
 */
export function readSession(unit: readonly JsonRecord[], title: string | undefined): SessionMessage {
  const first = unit.findIndex((record) => kindOf(record) !== "loose");
  const line = unit[first];
  const head = line === undefined ? unit : unit.slice(0, first + 1);
  const named = [line, ...head].find((record) => typeof record?.["sessionId"] === "string");
  const id = named?.["sessionId"];
  const timestamp = head.map((record) => timeOf(record)).find((time) => time !== undefined);
  const notes = line === undefined ? {} : differencesOf(repeatedIn(line), FIRST);
  return {
    role: "session",
    ...(typeof id === "string" ? { id } : {}),
    ...(title === undefined ? {} : { title }),
    timestamp: timestamp ?? 0,
    ...extWith(notes, ["/timestamp"]),
  };
}

function repeatedIn(record: JsonRecord): JsonObject {
  const fields: JsonObject = {};
  for (const field of REPEATED) {
    if (field !== "sessionId" && record[field] !== undefined) fields[field] = record[field];
  }
  return fields;
}

/** What the first line of a file repeats, as if a line before it had it. */
function firstFields(session?: SessionMessage): JsonRecord {
  if (session === undefined) return FIRST;
  const fields = restore({ ...FIRST, cwd: folderOf(session) ?? "" }, notesOf(session));
  return session.id === undefined ? fields : { ...fields, sessionId: uuidOf(session.id) };
}

/** What new lines repeat: the line before, or the fields of a first line if no line of the tree precedes. */
export function lineBefore(last: JsonRecord | undefined, session?: SessionMessage): JsonRecord {
  if (last === undefined) return firstFields(session);
  if (isLink(last)) return last;
  const { sessionId } = last;
  return typeof sessionId === "string" ? { ...FIRST, sessionId } : FIRST;
}

/** The fields of a new line of the tree before its content, and after it. */
export interface Frame {
  before: JsonObject;
  after: JsonObject;
}

/** A line with this content. Assigning the fields is faster than spreading them into a new object. */
export function framed({ before, after }: Frame, content: JsonObject): JsonRecord {
  const line: JsonRecord = {};
  for (const key in before) line[key] = before[key];
  for (const key in content) setOwn(line, key, content[key]);
  for (const key in after) line[key] = after[key];
  return line;
}

/** `last` is the line before, or `firstFields`. */
export function frameOf(message: AgentMessage, last: JsonRecord): Frame {
  // Messages of programs' own roles may have ids of any type.
  const uuid = isString(message.id) ? uuidOf(message.id) : derivedUuid(message, last);
  const before: JsonObject = { parentUuid: parentOf(message, last), isSidechain: false };
  for (const field of REPEATED) if (last[field] !== undefined) before[field] = last[field];
  if (!isLink(last) && before["sessionId"] === undefined) before["sessionId"] = uuidFor(`session ${uuid}`);
  return { before, after: { uuid, timestamp: timeText(message, last) } };
}

/** Before the first line of the tree there is no parent, whatever the message names. */
function parentOf({ parentId }: AgentMessage, last: JsonRecord): string | null {
  if (!isLink(last) || parentId === null) return null;
  // Ids that are not UUIDs are replaced, except in lines that Claude Code wrote.
  const before = String(last["uuid"]);
  const isBefore = !isString(parentId) || parentId === before || parentId.startsWith(`${before}#`);
  return isBefore ? before : uuidOf(parentId);
}

/** The UUID of the line with a message. Only the last message on a line has its UUID; the others are numbered. */
export function uuidOf(id: string): string {
  if (isUuid(id)) return id;
  const [line = "", number, ...rest] = id.split("#");
  return number !== undefined && rest.length === 0 && isUuid(line) ? line : uuidFor(id);
}

/** For a message without an id: the same in every conversion of a conversation. */
function derivedUuid(message: AgentMessage, last: JsonRecord): string {
  const { role, timestamp } = message;
  return uuidFor(isLink(last) ? JSON.stringify([last["uuid"], role, timestamp]) : stableJson(message));
}

/** The UUID of a further line of a message. */
export function lineUuid(uuid: string, line: number): string {
  return `${fnv1aHex(`${uuid} ${line}`)}${uuid.slice(8)}`;
}

function timeText(message: AgentMessage, last: JsonRecord): string {
  const { timestamp } = last;
  if (isSynthesised(message, "/timestamp") && typeof timestamp === "string") return timestamp;
  return isoTime(message.timestamp);
}

/** A line's time. Only text is one: Claude Code does not read numbers. */
export function timeOf({ timestamp }: JsonRecord): number | undefined {
  return typeof timestamp === "string" ? instantOf(timestamp) : undefined;
}
