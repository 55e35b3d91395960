import type { QueryResult } from "node-sqlite3-wasm";
import { emptyUsage } from "../../core/message/usage.js";
import type { SessionFile } from "../types.js";
import { jsonIn, numberIn, textIn, textOrNone, usageIn } from "./row.js";
import type { SessionSummary } from "./types.js";

/** A session as far as it has been indexed. */
export interface SessionState {
  summary: Omit<SessionSummary, "title">;
  /** The title from its header or a note. */
  named?: string;
  /** The beginning of the first user message. */
  opening?: string;
  /** Of the file that was read; 0 before the first time, and for a foreign file. */
  inode: number;
  /** Where indexing stopped; for a foreign file, the number of messages. */
  position: number;
  /** The file's size when it was fully indexed; -1 until then. */
  size: number;
  modified: number;
}

export function newState({ id, agent, path, foreign, key }: SessionFile, source: string): SessionState {
  return {
    summary: {
      id,
      source,
      agent,
      ...(key === undefined ? {} : { key }),
      path,
      foreign,
      counts: { user: 0, assistant: 0, toolResult: 0, lines: 0, bad: 0 },
      badLines: [],
      usage: emptyUsage(),
      unknownPrices: false,
      models: [],
      archived: false,
    },
    inode: 0,
    position: 0,
    size: -1,
    modified: -1,
  };
}

type Cell = string | number | null;

/** The columns of a session, in the order of `cellsOf`. */
export const COLUMNS = [
  ...["source", "path", "id", "agent", "key", "is_foreign", "named", "opening", "created", "active"],
  ...["user", "assistant", "tool_result", "lines", "bad", "bad_lines", "usage", "unknown_prices", "models"],
  ...["archived", "parent_session", "parent_message", "parent_call", "folder", "problem"],
  ...["inode", "position", "size", "modified"],
];

export function cellsOf(state: SessionState): Cell[] {
  const { summary, named, opening } = state;
  const { counts, parent } = summary;
  return [
    ...[
      summary.source,
      summary.path,
      summary.id,
      summary.agent,
      summary.key ?? null,
      Number(summary.foreign),
    ],
    ...[named ?? null, opening ?? null, summary.created ?? 0, summary.active ?? 0],
    ...[counts.user, counts.assistant, counts.toolResult, counts.lines, counts.bad],
    ...[JSON.stringify(summary.badLines), JSON.stringify(summary.usage), Number(summary.unknownPrices)],
    ...[JSON.stringify(summary.models), Number(summary.archived)],
    ...[
      parent?.session ?? null,
      parent?.message ?? null,
      parent?.toolCallId ?? null,
      summary.folder ?? null,
      summary.problem ?? null,
    ],
    ...[state.inode, state.position, state.size, state.modified],
  ];
}

export function stateOf(row: QueryResult): SessionState {
  const named = textOrNone(row, "named");
  const opening = textOrNone(row, "opening");
  return {
    summary: untitled(row),
    ...(named === undefined ? {} : { named }),
    ...(opening === undefined ? {} : { opening }),
    inode: numberIn(row, "inode"),
    position: numberIn(row, "position"),
    size: numberIn(row, "size"),
    modified: numberIn(row, "modified"),
  };
}

export function summaryOf(row: QueryResult): SessionSummary {
  return summaryIn(stateOf(row));
}

export function summaryIn({ summary, named, opening }: SessionState): SessionSummary {
  const title = named ?? opening;
  return { ...summary, ...(title === undefined ? {} : { title }) };
}

function untitled(row: QueryResult): SessionState["summary"] {
  const key = textOrNone(row, "key");
  const created = numberIn(row, "created");
  const active = numberIn(row, "active");
  const problem = textOrNone(row, "problem");
  const parent = parentOf(row);
  const folder = textOrNone(row, "folder");
  return {
    id: textIn(row, "id"),
    source: textIn(row, "source"),
    agent: textIn(row, "agent"),
    ...(key === undefined ? {} : { key }),
    path: textIn(row, "path"),
    foreign: numberIn(row, "is_foreign") === 1,
    ...(created === 0 ? {} : { created }),
    ...(active === 0 ? {} : { active }),
    counts: {
      user: numberIn(row, "user"),
      assistant: numberIn(row, "assistant"),
      toolResult: numberIn(row, "tool_result"),
      lines: numberIn(row, "lines"),
      bad: numberIn(row, "bad"),
    },
    badLines: jsonIn(row, "bad_lines", isNumbers),
    usage: usageIn(row),
    unknownPrices: numberIn(row, "unknown_prices") === 1,
    models: jsonIn(row, "models", isTexts),
    archived: numberIn(row, "archived") === 1,
    ...(parent === undefined ? {} : { parent }),
    ...(folder === undefined ? {} : { folder }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function parentOf(row: QueryResult): SessionSummary["parent"] {
  const session = textOrNone(row, "parent_session");
  if (session === undefined) return undefined;
  const message = textOrNone(row, "parent_message");
  const toolCallId = textOrNone(row, "parent_call");
  return {
    session,
    ...(message === undefined ? {} : { message }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === "number");
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
