import type { JsonRecord } from "../../core/dialect.js";
import { fnv1aHex } from "../../core/hash.js";
import { isString, type JsonObject } from "../../core/json/value.js";
import { folderOf } from "../../core/message/folder.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { instantOf, isoTime } from "../../core/time.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { isUuid, uuidFor } from "../../core/uuid.js";
import { isLink } from "./wire.js";

/** The id and the time of a new line; `last` is the line before. */
export function frameOf(message: AgentMessage, last: JsonRecord | undefined): JsonObject {
  return { id: message.id ?? derivedId(message, last), timestamp: timeText(message, last) };
}

/** For a message without an id: the same in every conversion of a conversation. */
function derivedId({ role, timestamp }: AgentMessage, last: JsonRecord = {}): string {
  const before = isString(last["id"]) ? last["id"] : JSON.stringify(last);
  return uuidFor(JSON.stringify([before, role, timestamp]));
}

function timeText(message: AgentMessage, last: JsonRecord | undefined): string {
  const known = last !== undefined && isLink(last) ? last["timestamp"] : undefined;
  if (isSynthesised(message, "/timestamp") && isString(known)) return known;
  return isoTime(message.timestamp);
}

export function timeIn(text: unknown): number | undefined {
  return isString(text) ? instantOf(text) : undefined;
}

/**
 * The header of a session as we write it. It has no `lastUpdated`: Gemini CLI deletes files whose `lastUpdated` is more than 30
 * days ago, and takes the current time if it is missing. Any hash is accepted.
 */
export function headerOf(session: SessionMessage | undefined, next?: AgentMessage): JsonObject {
  const id = session?.id ?? `session ${next?.id ?? next?.timestamp ?? ""}`;
  return {
    sessionId: isUuid(id) ? id : uuidFor(id),
    projectHash: fnv1aHex(session === undefined ? "" : (folderOf(session) ?? "")),
    ...(session === undefined || isSynthesised(session, "/timestamp")
      ? {}
      : { startTime: isoTime(session.timestamp) }),
    kind: "main",
    ...(session?.title === undefined ? {} : { summary: session.title }),
  };
}
