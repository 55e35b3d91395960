import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { folderOf } from "../../core/message/folder.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { createdIn, sessionId, wholeTime } from "./frame.js";
import { extWith, notesOf } from "./notes.js";
import { infoOf, VERSION } from "./wire.js";

/*
 * A session states when it was last changed, which is unknown while its header is encoded. Until the records are joined
 * into a document, a header without that time is marked with this symbol, which JSON omits.
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
  return { role: "session", id: next?.id ?? JSON.stringify(next ?? null).slice(0, SEED_LENGTH), timestamp: isTimed ? next.timestamp : 0 };
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

/** The header once all messages are known: the session was last changed when the last of them was created. */
export function closeHeader(header: Header, messages: readonly JsonRecord[]): JsonRecord {
  if (header[OPEN] !== true) return header;
  const info = infoOf(header);
  const time = isObject(info["time"]) ? info["time"] : {};
  const updated = messages.reduce(
    (latest, message) => Math.max(latest, createdIn(infoOf(message)) ?? 0),
    isNumber(time["created"]) ? time["created"] : 0,
  );
  return { ...header, info: { ...info, time: { ...time, updated } } };
}
