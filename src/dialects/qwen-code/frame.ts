import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { folderOf } from "../../core/message/folder.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import { instantOf, isoTime } from "../../core/time.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { uuidFor } from "../../core/uuid.js";
import { extWith, notesOf } from "./notes.js";
import { isLink, REPEATED, VERSION } from "./wire.js";

const FIRST: JsonObject = { cwd: "", version: VERSION };

/** The ids of sessions that Qwen Code opens; the file has the same name. */
const SESSION_ID = /^[0-9a-f-]{32,36}$/i;

function sessionIdOf(id: string): string {
  return SESSION_ID.test(id) ? id : uuidFor(id);
}

/** The session of a file, from its first line. It has no time of its own, so it gets that of the line. */
export function readSession(record: JsonRecord): SessionMessage {
  const { sessionId } = record;
  const fields: JsonObject = {};
  for (const name of REPEATED) {
    if (name !== "sessionId" && record[name] !== undefined) fields[name] = record[name];
  }
  return {
    role: "session",
    ...(isString(sessionId) ? { id: sessionId } : {}),
    timestamp: timeIn(record) ?? 0,
    ...extWith(differencesOf(fields, FIRST), ["/timestamp"]),
  };
}

/** What the first line of a file repeats, as if a line before it had it. */
export function firstFields(session?: SessionMessage): JsonRecord {
  if (session === undefined) return FIRST;
  const fields = restore({ ...FIRST, cwd: folderOf(session) ?? "" }, notesOf(session));
  return session.id === undefined ? fields : { ...fields, sessionId: sessionIdOf(session.id) };
}

/** The fields of a new line before its content. `last` is the line before, or `firstFields`. */
export function frameOf(message: AgentMessage, last: JsonRecord, type: string): JsonObject {
  // Messages of programs' own roles may have ids of any type.
  const uuid = isString(message.id) ? message.id : derivedId(message, last);
  const { sessionId = uuidFor(`session ${uuid}`), cwd, version, gitBranch } = last;
  return {
    uuid,
    parentUuid: parentOf(message, last),
    sessionId,
    timestamp: timeText(message, last),
    type,
    ...(cwd === undefined ? {} : { cwd }),
    ...(version === undefined ? {} : { version }),
    ...(gitBranch === undefined ? {} : { gitBranch }),
  };
}

/** Other programs link the first message to the session, which is not a line. */
function parentOf({ parentId }: AgentMessage, last: JsonRecord): string | null {
  const { uuid = null, sessionId } = last;
  if (!isString(parentId)) return parentId === null || !isString(uuid) ? null : uuid;
  return uuid === null && sessionIdOf(parentId) === sessionId ? null : parentId;
}

/** For a message without an id: the same in every conversion of a conversation. */
function derivedId(message: AgentMessage, last: JsonRecord): string {
  const { role, timestamp } = message;
  const before = isLink(last) ? last["uuid"] : [last["sessionId"], textOf(message)];
  return uuidFor(JSON.stringify([before, role, timestamp]));
}

/** The order of keys and what is beside the text may change when a message is converted. */
function textOf(message: AgentMessage): string {
  const content: unknown = Reflect.get(message, "content");
  if (!Array.isArray(content)) return isString(content) ? content : "";
  return content.map((block: unknown) => (isObject(block) ? block["text"] : undefined)).join();
}

function timeText(message: AgentMessage, last: JsonRecord): string {
  const known = last["timestamp"];
  if (isSynthesised(message, "/timestamp") && isString(known)) return known;
  return isoTime(message.timestamp);
}

export function timeIn({ timestamp }: JsonRecord): number | undefined {
  return isString(timestamp) ? instantOf(timestamp) : undefined;
}
