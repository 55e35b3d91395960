import type { Decoded, JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import type { SessionMessage, SystemMessage } from "../../core/types.js";
import { isAbsent, marksOf, noted, withFields } from "./marks.js";
import { VERSION } from "./wire.js";

/** What is written for a session nobody named; always the same, so that the same conversation gives the same file. */
const NAMELESS = "session";
const EPOCH = "1970-01-01T00:00:00.000Z";

const isoTime = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The header as a `session` message, and the system prompt as the `system` message after it. */
export function decodeHeader(header: JsonRecord, record: number): Decoded[] {
  const { version: _, updated_at, agent, sessionId, taskType, system_prompt, ...fields } = header;
  const absent: string[] = [];
  const known = (field: string, value: unknown): string | undefined => {
    if (typeof value === "string") return value;
    absent.push(field);
    if (value !== undefined) fields[field] = value;
    return undefined;
  };
  const time = known("updated_at", updated_at);
  const id = known("sessionId", sessionId);
  const kind = known("agent", agent);
  if (taskType !== undefined && typeof taskType !== "string") fields["taskType"] = taskType;
  if (system_prompt !== undefined && typeof system_prompt !== "string")
    fields["system_prompt"] = system_prompt;
  const timestamp = time === undefined ? undefined : parseTime(time);
  const session: SessionMessage = {
    role: "session",
    ...(id === undefined ? {} : { id }),
    timestamp: timestamp ?? 0,
    ...noted(
      {
        ...(kind === "lead" ? {} : { agent: kind }),
        ...(typeof taskType === "string" ? { taskType } : {}),
        ...(time === formatTime(timestamp) ? {} : { updatedAt: time }),
        absent,
        fields,
      },
      timestamp === undefined ? ["/timestamp"] : [],
    ),
  };
  if (typeof system_prompt !== "string") return [{ message: session, record }];
  const system: SystemMessage = {
    role: "system",
    content: system_prompt,
    timestamp: 0,
    ...noted({}, ["/timestamp"]),
  };
  return [
    { message: session, record },
    { message: system, record },
  ];
}

/** The header of a session; of a nameless one when there is no such message. */
export function encodeHeader(session?: SessionMessage, system?: SystemMessage): JsonRecord {
  const marks = marksOf(session?.ext);
  const own: JsonObject = { version: VERSION };
  if (!isAbsent(marks, "updated_at")) own["updated_at"] = timeOf(session, marks["updatedAt"]);
  if (!isAbsent(marks, "agent")) own["agent"] = typeof marks["agent"] === "string" ? marks["agent"] : "lead";
  if (session?.id !== undefined || !isAbsent(marks, "sessionId")) own["sessionId"] = session?.id ?? NAMELESS;
  if (typeof marks["taskType"] === "string") own["taskType"] = marks["taskType"];
  if (system !== undefined) own["system_prompt"] = textOf(system);
  const { messages: _, ...record } = withFields(own, marks["fields"]);
  return record;
}

/** The spelling of the source counts as long as it means the time of the message. */
function timeOf(session: SessionMessage | undefined, spelling: unknown): string {
  if (session === undefined) return EPOCH;
  if (typeof spelling === "string" && (parseTime(spelling) ?? 0) === session.timestamp) return spelling;
  return formatTime(session.timestamp) ?? EPOCH;
}

function textOf({ content }: SystemMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** Only times with a zone: others mean something else on every machine. */
function parseTime(text: string): number | undefined {
  const time = isoTime.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function formatTime(time: number | undefined): string | undefined {
  if (time === undefined) return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
