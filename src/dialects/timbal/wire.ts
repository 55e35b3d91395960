import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { isStandardType } from "./contract.js";
import { isMarked, markedBlockId, nextBlockId } from "./ids.js";

export const NAME = "timbal";

/** A complete message, as in a set frame: `{"i":"01J…","t":"2025-01-15T14:30:00.000Z","v":{"type":"user",…}}`. */
export interface WireRecord {
  i: string;
  t: unknown;
  v: JsonObject;
  s: string | undefined;
  /** Undefined if it is missing or not a string. */
  type: string | undefined;
  sender: string | undefined;
  /** The frame's other fields. */
  others: JsonObject;
  /** The record's pointer in its unit. */
  at: string;
}

export function readRecord(record: JsonObject, at: string): WireRecord {
  const { i, t, v, s, ...others } = record;
  if (typeof i !== "string") throw invalid("a string", i, `${at}/i`);
  if (!isObject(v)) throw invalid("an object", v, `${at}/v`);
  if (s !== undefined && typeof s !== "string") throw invalid("a string", s, `${at}/s`);
  const { type, sender } = v;
  return {
    i,
    t,
    v,
    s,
    type: typeof type === "string" ? type : undefined,
    sender: typeof sender === "string" ? sender : undefined,
    others,
    at,
  };
}

export function invalid(expected: string, found: unknown, at: string): DragomanError {
  const what = found === undefined ? "nothing" : (JSON.stringify(found) ?? typeof found).slice(0, 40);
  return new DragomanError("model/invalid", `expected ${expected}, found ${what}`, { at });
}

/** Our own types for messages that Timbal has no type for: `x-dragoman-ROLE` is a message of that role. */
export const OWN_PREFIX = "x-dragoman-";
/** A block of an assistant message other than text, thinking and tool calls. */
export const BLOCK_TYPE = "x-dragoman-block";
/** An assistant message without any block. */
export const EMPTY_TYPE = "x-dragoman-empty";

const nativeRoles = new Set([
  "user",
  "assistant",
  "toolResult",
  "status",
  "error",
  "agentComplete",
  "agentMessage",
]);

/** The role in an `x-dragoman-` type. */
export function ownRole(type: string): string | undefined {
  if (!type.startsWith(OWN_PREFIX) || isPart(type) || type === EMPTY_TYPE) return undefined;
  const role = type.slice(OWN_PREFIX.length);
  return role === "" || nativeRoles.has(role) ? undefined : role;
}

/** Whether this type is neither Timbal's nor ours. */
export function isCustom(type: string): boolean {
  return !isStandardType(type) && !isPart(type) && type !== EMPTY_TYPE && ownRole(type) === undefined;
}

/** The order of blocks in an answer. A block of our own type can be anywhere. */
const ranks = new Map([
  ["thinking", 0],
  ["agent", 1],
  ["tool_call", 2],
  [BLOCK_TYPE, -1],
]);

/** Whether a message of this type is one block of an assistant message. */
export function isPart(type: string | undefined): boolean {
  return type !== undefined && ranks.has(type);
}

type BlockRecord = { i?: unknown; s?: unknown; v?: unknown };

/**
 * Whether two records are blocks of one assistant message. An id with our mark decides: it is the previous id plus one.
 * Other ids do not, even if they ascend by one: there an answer is thinking, then one text, then tool calls, by one sender.
 */
export function joins(last: BlockRecord, next: BlockRecord): boolean {
  const [a, b] = [rankOf(last), rankOf(next)];
  if (a === undefined || b === undefined || last.s !== next.s) return false;
  if (a.sender !== b.sender) return false;
  if (isMarked(b.i)) return b.i === nextBlockId(a.i) || b.i === markedBlockId(a.i);
  if (isMarked(a.i) || a.rank < 0) return false;
  return b.rank > a.rank || (b.rank === a.rank && b.rank !== ranks.get("agent"));
}

/** The default id of the block after another: plus one, and marked if only the mark joins them. */
export function blockId(last: BlockRecord & { i: string }, next: BlockRecord): string {
  const i = nextBlockId(last.i);
  return joins(last, { ...next, i }) ? i : markedBlockId(last.i);
}

function rankOf({ i, v }: BlockRecord): { i: string; rank: number; sender: unknown } | undefined {
  if (typeof i !== "string" || !isObject(v) || typeof v["type"] !== "string") return undefined;
  const rank = ranks.get(v["type"]);
  return rank === undefined ? undefined : { i, rank, sender: v["sender"] };
}

/** The fields with these names that are not undefined. */
export function pick(from: object, names: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) {
    const value = Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined;
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
