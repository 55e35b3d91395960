import { isObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { SessionFile } from "../types.js";
import type { SpentPart } from "./digest.js";
import { DamagedIndex, jsonIn } from "./row-lines.js";
import type { SessionRow } from "./rows.js";
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

/** A row's state. */
export function stateIn({ state }: SessionRow): SessionState {
  const value = jsonIn(state);
  if (isState(value)) return value;
  throw new DamagedIndex("a session's state is not readable");
}

/** Written by this version: a look at the shape shows whether the row is damaged. */
function isState(value: unknown): value is SessionState {
  return isObject(value) && isObject(value["summary"]) && isObject(value["summary"]["usage"]);
}

/** What a row's session used. */
export function spentIn({ spent }: SessionRow): SpentPart[] {
  const value = jsonIn(spent);
  if (isSpent(value)) return value;
  throw new DamagedIndex("a session's usage is not readable");
}

function isSpent(value: unknown): value is SpentPart[] {
  return Array.isArray(value) && value.every((part) => isObject(part) && isObject(part["usage"]));
}

export function summaryOf(row: SessionRow): SessionSummary {
  return summaryIn(stateIn(row));
}

export function summaryIn({ summary, named, opening }: SessionState): SessionSummary {
  const title = named ?? opening;
  return { ...summary, ...(title === undefined ? {} : { title }) };
}
