import type { JsonRecord } from "../../core/dialect.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type { AgentMessage } from "../../core/types.js";

/*
 * The header comes first but has the time of the last message, which is unknown while the header is encoded. Until the
 * records are joined into a document, they carry these values under symbols, which JSON omits.
 */
const OPEN = Symbol("open");
const TIME = Symbol("time");

/** What is known about a session when its header is encoded. */
export interface Open {
  time: number | undefined;
  isNamed: boolean;
}

export function leaveOpen(header: JsonRecord, open: Open): JsonRecord {
  return Object.assign(header, { [OPEN]: open });
}

/** Undefined for a header that was read from a file and stays unchanged. */
export function openIn(header: JsonRecord & { [OPEN]?: Open }): Open | undefined {
  return header[OPEN];
}

export function withTime(record: JsonRecord, ...messages: AgentMessage[]): JsonRecord {
  const time = latest(messages.map(timeOf));
  return time === undefined ? record : Object.assign(record, { [TIME]: time });
}

export function timeIn(record: JsonRecord & { [TIME]?: number }): number | undefined {
  return record[TIME];
}

/** A message's time, if it is known and in the range of dates. */
export function timeOf(message: AgentMessage | undefined): number | undefined {
  if (message === undefined || isSynthesised(message, "/timestamp")) return undefined;
  const { timestamp } = message;
  return Number.isNaN(new Date(timestamp).getTime()) ? undefined : timestamp;
}

export function latest(times: readonly (number | undefined)[]): number | undefined {
  let last: number | undefined;
  for (const time of times) if (time !== undefined && (last === undefined || time > last)) last = time;
  return last;
}
