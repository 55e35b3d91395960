import type { JsonRecord } from "../../core/dialect.js";
import { stableJson } from "../../core/json/stable.js";
import type { JsonObject } from "../../core/json/value.js";
import { folderOf } from "../../core/message/folder.js";
import { restore } from "../../core/records/deviation.js";
import { isoTime } from "../../core/time.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { isUuid, uuidFor } from "../../core/uuid.js";
import { line } from "./encode-lines.js";
import { notesOf } from "./notes.js";
import { VERSION } from "./wire.js";

/** The first lines of a file. */
export function sessionLines(session: SessionMessage): JsonRecord[] {
  const notes = notesOf(session);
  const payload = restore(sessionPayload(session), notes);
  const header = notes["bare"] === true ? payload : restore(sessionLine(session, payload), notes["line"]);
  if (session.title === undefined) return [header];
  return [header, restore(titleLine(isoTime(session.timestamp), session.title), notes["title"])];
}

export function sessionLine(session: SessionMessage, payload: JsonObject): JsonRecord {
  return line(isoTime(session.timestamp), "session_meta", payload);
}

/** `model_provider` is left out: Codex does not open the session of a provider that is not configured. */
export function sessionPayload(session: SessionMessage): JsonObject {
  return {
    id: sessionId(session),
    timestamp: isoTime(session.timestamp),
    cwd: folderOf(session) ?? "/",
    originator: "codex_cli_rs",
    cli_version: VERSION,
    source: "cli",
  };
}

function sessionId({ id, timestamp, key, title }: SessionMessage): string {
  if (id === undefined) return uuidFor(JSON.stringify([timestamp, key, title]));
  return isUuid(id) ? id : uuidFor(id);
}

/** The header of a conversation without a session; none if it was read from a file without one. */
export function derivedHeader(first: AgentMessage | undefined): JsonRecord[] {
  if (first !== undefined && notesOf(first)["headless"] === true) return [];
  const timestamp = typeof first?.timestamp === "number" ? first.timestamp : 0;
  const session: SessionMessage = { role: "session", id: uuidFor(stableJson(first ?? null)), timestamp };
  return [sessionLine(session, sessionPayload(session))];
}

export function titleLine(timestamp: string, title: string): JsonRecord {
  return line(timestamp, "event_msg", { type: "thread_name_updated", thread_name: title });
}
