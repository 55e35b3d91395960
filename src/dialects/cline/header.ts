import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isString, type JsonObject } from "../../core/json/value.js";
import { isAbsent, withFields } from "../../core/records/deviation.js";
import { FieldReader } from "../../core/records/field-reader.js";
import type { SessionMessage, SystemMessage } from "../../core/types.js";
import { derivedSessionId } from "./derive-id.js";
import { extWith, notesOf } from "./notes.js";
import { latest, leaveOpen, openIn, timeIn, timeOf } from "./updated-at.js";
import { VERSION } from "./wire.js";

/** The session id until all messages are known, and the final one if there are none. */
const NAMELESS = "session";

const isoTime = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The header as a `session` message, and the system prompt as the `system` message after it. */
export function decodeHeader(header: JsonRecord, record: number): Decoded[] {
  const reader = new FieldReader(header);
  reader.drop("version");
  const known = (name: string): string | undefined => {
    const { [name]: value } = reader.optional(name, isString);
    if (value === undefined) reader.absent(name);
    return value;
  };
  const [time, id, kind] = [known("updated_at"), known("sessionId"), known("agent")];
  const taskType = reader.optional("taskType", isString);
  const { system_prompt } = reader.optional("system_prompt", isString);
  const { absent, fields } = reader.notes();
  const timestamp = time === undefined ? undefined : parseTime(time);
  const session: SessionMessage = {
    role: "session",
    ...(id === undefined ? {} : { id }),
    timestamp: timestamp ?? 0,
    // The file records when it was written, not when the session began.
    ...extWith({ agent: kind === "lead" ? undefined : kind, ...taskType, updatedAt: time, absent, fields }, [
      "/timestamp",
    ]),
  };
  if (system_prompt === undefined) return [{ message: session, record }];
  const untimed = { timestamp: 0, ...extWith({}, ["/timestamp"]) };
  const system: SystemMessage = { role: "system", content: system_prompt, ...untimed };
  return [session, system].map((message) => ({ message, record }));
}

/** The header of a session, which is nameless without a session message. */
export function encodeHeader(session?: SessionMessage, prompt?: string): JsonRecord {
  const notes = notesOf(session);
  const own: JsonObject = { version: VERSION };
  const spelling = notes["updatedAt"];
  const isRead = typeof spelling === "string";
  if (isRead) own["updated_at"] = spelling;
  else if (!isAbsent(notes, "updated_at")) own["updated_at"] = placeholder(session);
  const kind = kindOf(session, notes);
  if (kind !== undefined) own["agent"] = kind;
  if (session?.id !== undefined || !isAbsent(notes, "sessionId")) own["sessionId"] = session?.id ?? NAMELESS;
  const taskType = taskTypeOf(session, notes);
  if (taskType !== undefined) own["taskType"] = taskType;
  if (prompt !== undefined) own["system_prompt"] = prompt;
  const { messages: _, ...record } = withFields(own, notes["fields"]);
  if (isRead || isAbsent(notes, "updated_at")) return record;
  return leaveOpen(record, { time: timeOf(session), isNamed: session?.id !== undefined });
}

/** Different from the session's time, so that reading back the header alone never reproduces that time. */
function placeholder(session: SessionMessage | undefined): string {
  return new Date(session?.timestamp === 0 ? 1 : 0).toISOString();
}

/** A session started by a tool call of another session is a sub-agent's; a fork is a lead's. */
function kindOf(session: SessionMessage | undefined, notes: JsonObject): string | undefined {
  if (typeof notes["agent"] === "string") return notes["agent"];
  if (isAbsent(notes, "agent")) return undefined;
  return session?.parent?.toolCallId === undefined ? "lead" : "subagent";
}

function taskTypeOf(session: SessionMessage | undefined, notes: JsonObject): string | undefined {
  if (typeof notes["taskType"] === "string") return notes["taskType"];
  const isStarted = session?.parent?.toolCallId !== undefined && notes["agent"] === undefined;
  return isStarted ? (session.agent ?? "subagent") : undefined;
}

/** The header once all messages are known: `updated_at` is the latest message's time, the id is derived from the first. */
export function closeHeader(header: JsonRecord, messages: readonly JsonRecord[]): JsonRecord {
  const open = openIn(header);
  if (open === undefined) return header;
  const [first] = messages;
  return {
    ...header,
    updated_at: new Date(latest([open.time, ...messages.map(timeIn)]) ?? 0).toISOString(),
    ...(open.isNamed || first === undefined ? {} : { sessionId: derivedSessionId(first) }),
  };
}

/** Only times with a zone: others depend on the machine's time zone. */
function parseTime(text: string): number | undefined {
  const time = isoTime.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
