import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isString, type JsonObject } from "../../core/json/value.js";
import { isoTime } from "../../core/time.js";
import type { SessionMessage } from "../../core/types.js";
import { sessionLine, sessionPayload, titleLine } from "./encode-session.js";
import { addNotes, extWith, guardedDifferences } from "./notes.js";
import { timeOf } from "./time.js";
import { payloadOf } from "./wire.js";

/** The session of a file from its header and the event after it that has the title. */
export function readSession(record: JsonRecord, titled: JsonRecord | undefined): SessionMessage {
  const isBare = record["type"] !== "session_meta";
  const payload = isBare ? record : payloadOf(record);
  const { id } = payload;
  const title = titled === undefined ? undefined : payloadOf(titled)["thread_name"];
  const time = timeOf(payload) ?? timeOf(record);
  const session: SessionMessage = {
    role: "session",
    ...(isString(id) ? { id } : {}),
    ...(isString(title) ? { title } : {}),
    timestamp: time ?? 0,
    ...extWith({}, time === undefined ? ["/timestamp"] : []),
  };
  const notes: JsonObject = guardedDifferences(payload, sessionPayload(session));
  if (isBare) addNotes(session, { ...notes, bare: true });
  else {
    const line = guardedDifferences(record, sessionLine(session, payload));
    addNotes(session, { ...notes, line: isEmpty(line) ? undefined : line });
  }
  if (titled !== undefined && isString(title)) {
    const found = guardedDifferences(titled, titleLine(isoTime(session.timestamp), title));
    if (!isEmpty(found)) addNotes(session, { title: found });
  }
  return session;
}
