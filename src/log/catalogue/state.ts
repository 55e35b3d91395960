import type { QueryResult } from "node-sqlite3-wasm";
import { isObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import { is } from "../../core/validate.js";
import type { SessionFile } from "../types.js";
import type { SpentPart } from "./digest.js";
import { jsonIn } from "./row.js";
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
  ...["source", "path", "id", "agent", "key", "is_foreign", "created", "active", "archived", "parent"],
  ...["folder", "inode", "position", "size", "modified", "state", "spent"],
];

export function cellsOf(state: SessionState, spent: readonly SpentPart[]): Cell[] {
  const { summary } = state;
  return [
    ...[summary.source, summary.path, summary.id, summary.agent, summary.key ?? null],
    ...[Number(summary.foreign), summary.created ?? 0, summary.active ?? 0, Number(summary.archived)],
    ...[summary.parent?.session ?? null, summary.folder ?? null],
    ...[state.inode, state.position, state.size, String(state.modified)],
    ...[JSON.stringify(state), JSON.stringify(spent)],
  ];
}

export function stateIn(row: QueryResult): SessionState {
  return jsonIn(row, "state", isState);
}

/** Written by this version: a look at the shape shows whether the row is damaged. */
function isState(value: unknown): value is SessionState {
  return isObject(value) && isObject(value["summary"]) && is("Usage", value["summary"]["usage"]);
}

export function spentIn(row: QueryResult): SpentPart[] {
  return jsonIn(row, "spent", isSpent);
}

function isSpent(value: unknown): value is SpentPart[] {
  return Array.isArray(value) && value.every((part) => isObject(part) && is("Usage", part["usage"]));
}

export function summaryOf(row: QueryResult): SessionSummary {
  return summaryIn(stateIn(row));
}

export function summaryIn({ summary, named, opening }: SessionState): SessionSummary {
  const title = named ?? opening;
  return { ...summary, ...(title === undefined ? {} : { title }) };
}
