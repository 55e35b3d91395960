import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

export const NAME = "claude-code";

/** The version that new lines state. */
export const VERSION = "2.1.325";

/** Every answer is a message of this API. */
export const API = "anthropic-messages";
export const PROVIDER = "anthropic";

/**
 * A session is a file of lines. Lines with a `uuid` form a tree through `parentUuid`; the others are loose.
 *
 *     {"parentUuid":null,"isSidechain":false,"sessionId":"S","cwd":"/w","type":"user","message":{…},"uuid":"U1","timestamp":"…"}
 *     {"parentUuid":"U1",…,"type":"assistant","message":{"id":"msg_1","content":[one block],…},"uuid":"U2","timestamp":"…"}
 *     {"type":"last-prompt","leafUuid":"U2","sessionId":"S"}
 *
 * An answer has one line per content block, all with the same `message.id`.
 */
export type Kind = "answer" | "prompt" | "result" | "boundary" | "summary" | "note" | "loose";

/** The types of lines that Claude Code is known to write. */
export const TREE_TYPES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
  "progress",
]);
export const LOOSE_TYPES: ReadonlySet<string> = new Set([
  "summary",
  "ai-title",
  "custom-title",
  "tag",
  "agent-name",
  "agent-setting",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "bridge-session",
  "queue-operation",
  "file-history-snapshot",
  "worktree-state",
  "relocated",
  "frame-link",
  "atis-latch",
  "tools-used",
  "cost-state",
  "api-request-shape",
  "api-request-blob",
  "api-request",
  "started",
  "result",
]);

/** Loose lines with a title, and the field that has it. */
export const TITLES: ReadonlyMap<string, string> = new Map([
  ["custom-title", "customTitle"],
  ["ai-title", "aiTitle"],
  ["summary", "summary"],
]);

/** The fields that every line of the tree repeats. */
export const REPEATED = [
  "userType",
  "cwd",
  "sessionId",
  "version",
  "gitBranch",
  "entrypoint",
  "slug",
] as const;

/** All fields that belong to a line of the tree, not to its content. */
export const FRAME: ReadonlySet<string> = new Set([
  "parentUuid",
  "isSidechain",
  "type",
  "uuid",
  "timestamp",
  ...REPEATED,
]);

/** Whether other lines can name it as their parent. */
export function isLink(record: JsonRecord): boolean {
  return typeof record["uuid"] === "string";
}

export function kindOf(record: JsonRecord): Kind {
  const { type, message } = record;
  if (type === "assistant" && isObject(message))
    return record["isApiErrorMessage"] === true ? "note" : "answer";
  if (type === "user" && isObject(message)) {
    if (record["isCompactSummary"] === true) return "summary";
    const { content } = message;
    return Array.isArray(content) && content.some(isResult) ? "result" : "prompt";
  }
  if (!isLink(record)) return "loose";
  return type === "system" && record["subtype"] === "compact_boundary" ? "boundary" : "note";
}

export function isResult(block: unknown): boolean {
  return isObject(block) && block["type"] === "tool_result" && typeof block["tool_use_id"] === "string";
}

/** Where a line or a message belongs: its kind, and whether it is part of a sub-agent's branch. */
export interface Role {
  kind: Kind;
  isSide: boolean;
}

/**
 * Whether an item belongs to the unit that starts with `first`. An answer's unit extends to the next answer or prompt,
 * because lines of results, notes and sub-agents can come between the lines of an answer. Loose lines belong to the unit
 * before them, or to the line after them if there is none.
 */
export function joinsUnit(last: Role, next: Role, first: Role, isSameAnswer: boolean): boolean {
  if (next.kind === "loose") return first.kind !== "loose" || last.kind === "loose";
  if (first.kind === "loose") return last.kind === "loose" && next.kind !== "answer";
  if (first.kind === "boundary") return next.kind === "summary";
  if (first.kind !== "answer") return false;
  if (next.isSide !== first.isSide) return next.isSide;
  if (next.kind === "answer") return isSameAnswer;
  return next.kind === "result" || next.kind === "note";
}

export function joins(last: JsonRecord, next: JsonRecord, first: JsonRecord): boolean {
  return joinsUnit(roleOf(last), roleOf(next), roleOf(first), isSameAnswer(first, next));
}

function roleOf(record: JsonRecord): Role {
  return { kind: kindOf(record), isSide: record["isSidechain"] === true };
}

function isSameAnswer(first: JsonRecord, next: JsonRecord): boolean {
  const id = answerId(next);
  return id !== undefined && id === answerId(first);
}

/** The id that the lines of an answer share. */
export function answerId({ message }: JsonRecord): string | undefined {
  return isObject(message) && typeof message["id"] === "string" ? message["id"] : undefined;
}
