import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

export const NAME = "openclaw-turns";

/** One line of a session. `content` holds `SessionContent`, and what other programs put there. */
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
  /** Text; other programs write any value. */
  output?: unknown;
  error?: unknown;
  isPending?: boolean;
};

/** JSON has numbers that are larger than all others when read, and nothing when written. */
export function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

export function isTurnRole(value: unknown): value is TurnRole {
  return value === "user" || value === "assistant" || value === "tool" || value === "system";
}

/** `metadata.dragoman` of a turn: what the model says and neither a turn nor plain metadata can. */
export type Marks = {
  /** Which of the turns of one message this is, counted from 1, and how many there are. */
  part?: number;
  parts?: number;
  /** The message's content is a string and not an array with one text. */
  string?: true;
  /** The timestamp is in milliseconds though it is small enough to be taken for seconds. */
  milliseconds?: true;
  /** The thinking blocks of `reasoning`, unless it is one that has only text. */
  thinking?: JsonRecord[];
  /** By their place among the blocks: fields a content block has no room for, or whole blocks without an equal. */
  blocks?: Record<string, JsonRecord>;
  /** Fields a tool call has no room for. */
  toolCall?: JsonRecord;
  /** Fields of the message that the model does not know. */
  fields?: JsonRecord;
  /** The message itself, where its role is none of a turn's, and which of its fields the turn shows as its text. */
  message?: JsonRecord;
  text?: string;
};

/** The marks of a turn as far as anybody can know: all members are still to be looked at. */
export function marksOf(turn: JsonRecord): JsonRecord | undefined {
  const metadata = turn["metadata"];
  if (!isObject(metadata)) return undefined;
  const marks = metadata["dragoman"];
  return isObject(marks) ? marks : undefined;
}

/** Whether these are neighbouring turns of one message. The timestamp tells the halves of two broken ones apart. */
export function joins(last: JsonRecord, next: JsonRecord): boolean {
  const [before, after] = [marksOf(last), marksOf(next)];
  if (before === undefined || after === undefined || typeof before["part"] !== "number") return false;
  return (
    after["part"] === before["part"] + 1 &&
    after["parts"] === before["parts"] &&
    last["timestamp"] === next["timestamp"]
  );
}
