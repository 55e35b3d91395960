import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { stableJson } from "../../core/json/stable.js";
import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { folderOf } from "../../core/message/folder.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { createdIn, sessionId, wholeTime } from "./frame.js";
import { extWith, notesOf, objectIn } from "./notes.js";
import { infoOf, VERSION } from "./wire.js";

/*
 * A session states when it was last changed, which is unknown while its header is encoded. A header is open if that is when
 * its last message was created: `join` sets the time. This symbol, which JSON omits, marks such headers.
 */
const OPEN = Symbol("open");

type Header = JsonRecord & { [OPEN]?: true };

/** How much of the first message the id of a session without one is derived from. */
const SEED_LENGTH = 1000;

/** The folder of a session that has none. */
const ROOT = "/";

export function decodeHeader(header: Header, record: number): Decoded {
  const info = infoOf(header);
  const { id, title, parentID, directory } = info;
  const created = createdIn(info);
  const updated = isObject(info["time"]) ? info["time"]["updated"] : undefined;
  const session: SessionMessage = {
    role: "session",
    ...(isString(id) ? { id } : {}),
    ...(isString(title) && title !== defaultTitle(created) ? { title } : {}),
    ...(isString(parentID) ? { parent: { session: parentID } } : {}),
    timestamp: created ?? 0,
  };
  const synthesised = created === undefined ? ["/timestamp"] : [];
  const kept = {
    ...(isString(directory) && directory !== ROOT ? { cwd: directory } : {}),
    ...(header[OPEN] === true ? {} : { updated: isNumber(updated) ? updated : null }),
  };
  const ours = plainHeader({ ...session, ...extWith(kept, synthesised) });
  const notes = { ...kept, ...differencesOf(header, ours) };
  return { message: { ...session, ...extWith(notes, synthesised) }, record };
}

/** The title of a session that has none: opencode replaces it after the first prompt. */
function defaultTitle(created: number | undefined): string {
  return `New session - ${new Date(wholeTime(created)).toISOString()}`;
}

/** The header of a session, or of a conversation that starts with `next` and has no session message. */
export function encodeHeader(session: SessionMessage | undefined, next?: AgentMessage): JsonRecord {
  if (session === undefined) return plainHeader(sessionFor(next));
  return restore(plainHeader(session), notesOf(session));
}

function sessionFor(next: AgentMessage | undefined): SessionMessage {
  const isTimed = next !== undefined && !isSynthesised(next, "/timestamp");
  return {
    role: "session",
    id: next?.id ?? stableJson(next ?? null).slice(0, SEED_LENGTH),
    timestamp: isTimed ? next.timestamp : 0,
  };
}

function plainHeader(session: SessionMessage): Header {
  const notes = notesOf(session);
  const { updated } = notes;
  const id = sessionId(session.id ?? "");
  const created = wholeTime(session.timestamp);
  const info: JsonObject = {
    id,
    slug: id,
    projectID: "global",
    directory: folderOf(session) ?? ROOT,
    ...(session.parent === undefined ? {} : { parentID: sessionId(session.parent.session) }),
    title: session.title ?? defaultTitle(created),
    version: VERSION,
    time: { created, updated: isNumber(updated) ? updated : created },
  };
  return Object.hasOwn(notes, "updated") ? { info } : { info, [OPEN]: true };
}

/** The header of a document that we write: an open one gets the time of the last message. */
export function closeHeader(header: Header, messages: readonly unknown[]): JsonRecord {
  return header[OPEN] === true ? withUpdated(header, lastCreated(header, messages)) : header;
}

/** The header of a document that we read. */
export function openHeader(header: JsonRecord, messages: readonly unknown[]): Header {
  const { time } = infoOf(header);
  if (!isObject(time) || time["updated"] !== lastCreated(header, messages)) return header;
  return { ...withUpdated(header, wholeTime(time["created"])), [OPEN]: true };
}

function lastCreated(header: JsonRecord, messages: readonly unknown[]): number {
  const times = [header, ...messages].map((record) =>
    isObject(record) ? createdIn(infoOf(record)) : undefined,
  );
  return times.reduce<number>((latest, time = 0) => Math.max(latest, time), 0);
}

function withUpdated(header: JsonRecord, updated: number): JsonRecord {
  const info = infoOf(header);
  return { ...header, info: { ...info, time: { ...objectIn(info["time"]), updated } } };
}
