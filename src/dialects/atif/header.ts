import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { restore, stableDeviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { SessionMessage } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { FIRST_MINOR, isAhead, markAhead, UNKNOWN, VERSION_PREFIX } from "./wire.js";

/** The header as a `session` message; undefined if it contains nothing but required fields with unknown values. */
export function decodeHeader(header: JsonRecord, at: string): SessionMessage | undefined {
  const { session_id: id, agent } = header;
  if (!isObject(agent)) throw unexpected(`${at}/agent`, "an object with the agent's name and version", agent);
  const session: SessionMessage = {
    role: "session",
    ...(isKnown(id) ? { id } : {}),
    timestamp: 0,
    ...(isKnown(agent["name"]) ? { agent: agent["name"] } : {}),
  };
  const noted = stableDeviations(header, encodeHeader(session), { inside: "all", guarded: true });
  const notes = { ...noted, ...(isAhead(header) ? { ahead: true } : {}) };
  if (session.id === undefined && session.agent === undefined && Object.keys(notes).length === 0) {
    return undefined;
  }
  return { ...session, ...extWith(notes, ["/timestamp"]) };
}

function isKnown(value: unknown): value is string {
  return isString(value) && value !== UNKNOWN;
}

export function encodeHeader(session?: SessionMessage): JsonRecord {
  const notes = notesOf(session);
  const { steps: _, ...header } = restore(
    {
      schema_version: `${VERSION_PREFIX}${FIRST_MINOR}`,
      session_id: session?.id ?? UNKNOWN,
      agent: { name: session?.agent ?? UNKNOWN, version: UNKNOWN },
    },
    notes,
  );
  // Notes come from files: without a version and an agent it would not be a header.
  const isWhole = isString(header["schema_version"]) && isObject(header["agent"]);
  if (!isWhole) return encodeHeader();
  return notes["ahead"] === true ? markAhead(header) : header;
}
