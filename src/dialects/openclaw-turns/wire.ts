import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

export const NAME = "openclaw-turns";

/** One line of a session. `content` contains `SessionContent`, or values from other programs. */
export type SessionTurn = {
  role: TurnRole;
  content: unknown;
  /** Seconds or milliseconds. */
  timestamp?: number;
  toolCall?: SessionToolCall;
  toolResult?: SessionToolResult;
  mediaUrls?: string[];
  metadata?: JsonRecord;
  _compacted?: boolean;
};

export type TurnRole = "user" | "assistant" | "tool" | "system";

export type SessionContent =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; source: { type: "url"; url: string } };

type SessionToolCall = { id: string; name: string; arguments: Record<string, unknown> };

export type SessionToolResult = {
  toolCallId?: string;
  /** Text; other programs may write any value. */
  output?: unknown;
  error?: unknown;
  isPending?: boolean;
};

/** JSON numbers such as 1e400 are read as Infinity, which JSON cannot write. */
export function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

export function isTurnRole(value: unknown): value is TurnRole {
  return value === "user" || value === "assistant" || value === "tool" || value === "system";
}

/** `metadata.dragoman` of a turn: what neither a turn nor plain metadata can represent. */
export type Marks = {
  /** The turn's number among the message's turns, counted from 1, and how many there are. */
  part?: number;
  parts?: number;
  /** The message's content is a string, not an array with one text. */
  string?: true;
  /** The timestamp is in milliseconds, though it is small enough to be read as seconds. */
  milliseconds?: true;
  /** The thinking blocks in `reasoning`, unless it is one block with only text. */
  thinking?: JsonRecord[];
  /** By block index: fields that the format's block does not have, or whole blocks that the format does not have. */
  blocks?: Record<string, JsonRecord>;
  /** Fields that the format's tool call does not have. */
  toolCall?: JsonRecord;
  /** Fields of the message that the model does not have. */
  fields?: JsonRecord;
  /** The message itself, if its role has no turns, and the name of its field that is the turn's text. */
  message?: JsonRecord;
  text?: string;
};

/** A turn's marks, not validated. */
export function marksOf(turn: JsonRecord): JsonRecord | undefined {
  const metadata = turn["metadata"];
  if (!isObject(metadata)) return undefined;
  const marks = metadata["dragoman"];
  return isObject(marks) ? marks : undefined;
}

/** Whether these are consecutive turns of one message. The timestamp distinguishes the parts of two incomplete messages. */
export function joins(last: JsonRecord, next: JsonRecord): boolean {
  const [before, after] = [marksOf(last), marksOf(next)];
  if (before === undefined || after === undefined || typeof before["part"] !== "number") return false;
  return (
    after["part"] === before["part"] + 1 &&
    after["parts"] === before["parts"] &&
    last["timestamp"] === next["timestamp"]
  );
}
