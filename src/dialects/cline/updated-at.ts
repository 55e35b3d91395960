import type { JsonRecord } from "../../core/dialect.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type { AgentMessage } from "../../core/types.js";

/*
 * The header comes first and says when the last message was said, which is not known while it is made. So until a document
 * is made of the records, they carry under symbols what the contract has no field for, and JSON never shows it.
 */
const OPEN = Symbol("open");
const TIME = Symbol("time");

/** What is known of a session when its header is made. */
export interface Open {
  time: number | undefined;
  isNamed: boolean;
}

export function leaveOpen(header: JsonRecord, open: Open): JsonRecord {
  return Object.assign(header, { [OPEN]: open });
}

/** What a header was left open with; undefined for one that was read from a file, which stays as it is. */
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

/** When a message was said, if that is known and a date can hold it. */
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
