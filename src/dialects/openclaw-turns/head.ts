import type { JsonRecord } from "../../core/dialect.js";
import { setOwn } from "../../core/json/value.js";
import type { AgentMessage } from "../../core/types.js";
import { unsaid, writeExt } from "./ext.js";
import { type Deviations, type Marks, SECONDS_END, type SessionTurn, type TurnRole } from "./wire.js";

/** What every turn of a message is made with. */
export interface Head {
  timestamp: number | undefined;
  metadata: JsonRecord;
  marks: Marks;
  /** Fields that are left out, because nobody said them. */
  unsaid: readonly string[];
}

/** Where a field of a message goes: under its own name into `metadata`, or elsewhere in the turn. */
export type Places = ReadonlyMap<string, "metadata" | "turn">;

const inTurn = ["role", "content", "timestamp", "ext"];
const inMetadata = ["id", "parentId", "sender"];
const ofAnswers = ["api", "provider", "model", "usage", "stopReason", "errorMessage"];

export const saidPlaces = placesOf(inTurn, inMetadata);
export const answerPlaces = placesOf(inTurn, [...inMetadata, ...ofAnswers]);
export const resultPlaces = placesOf(
  [...inTurn, "toolCallId", "isError"],
  [...inMetadata, "toolName", "details"],
);

function placesOf(turn: readonly string[], metadata: readonly string[]): Places {
  return new Map([
    ...turn.map((key) => [key, "turn"] as const),
    ...metadata.map((key) => [key, "metadata"] as const),
  ]);
}

export function headOf(message: AgentMessage, own: Deviations, places: Places): Head {
  const head: Head = { timestamp: undefined, metadata: {}, marks: {}, unsaid: unsaid(message) };
  const record: JsonRecord = message;
  for (const key of Object.keys(record)) {
    const value = record[key];
    const place = places.get(key);
    if (place === "turn" || value === undefined) continue;
    if (place === undefined) {
      head.marks.fields ??= {};
      setOwn(head.marks.fields, key, value);
    } else if (head.unsaid.length === 0 || !head.unsaid.includes(`/${key}`)) {
      head.metadata[key] = value;
    }
  }
  return addCommon(head, message, own);
}

/** What is said of every message in the same way. */
export function addCommon(head: Head, message: AgentMessage, own: Deviations): Head {
  const { timestamp }: { timestamp: unknown } = message;
  if (typeof timestamp === "number" && !head.unsaid.includes("/timestamp")) {
    head.timestamp = own.seconds === true ? timestamp / 1000 : timestamp;
    if (own.seconds !== true && looksLikeSeconds(timestamp)) head.marks.milliseconds = true;
  }
  const ext = writeExt(message.ext, head.unsaid);
  if (ext !== undefined) head.metadata["ext"] = ext;
  return head;
}

export function looksLikeSeconds(timestamp: number): boolean {
  return timestamp < SECONDS_END && timestamp !== 0;
}

export function begin(role: TurnRole, content: unknown, { timestamp }: Head): SessionTurn {
  return timestamp === undefined ? { role, content } : { role, content, timestamp };
}

export function finish(turn: SessionTurn, metadata: JsonRecord, marks: Marks): SessionTurn {
  if (hasAny(marks)) metadata["dragoman"] = marks;
  if (hasAny(metadata)) turn.metadata = metadata;
  return turn;
}

export function hasAny(object: object): boolean {
  for (const _ in object) return true;
  return false;
}
