import type { Position } from "../types.js";

/** A session as bytes: its lines, each with its line end. */
export interface ArchivedSession {
  id: string;
  agent: string;
  size: number;
}

/** The names of everything that a store keeps beside sessions. */
export interface KeptNames {
  cells: string[];
  journals: string[];
  values: string[];
  lines: string[];
}

/** The raw contents of a store, to copy and compare them. No other process may change the store meanwhile. */
export interface Archive {
  /** In the order of their ids. */
  sessions(): AsyncIterable<ArchivedSession>;
  /** From a position to the end, in pieces that end with a line. */
  read(session: Omit<ArchivedSession, "size">, from: Position): AsyncIterable<Uint8Array>;
  /** Where the copy of a session ends; undefined if there is none. */
  endOf(session: Omit<ArchivedSession, "size">): Promise<Position | undefined>;
  /** Adds lines where the copy ends, and begins it with its header. A copy is not visible before `publish`. */
  write(session: Omit<ArchivedSession, "size">, from: Position, lines: Uint8Array): Promise<void>;
  /** Makes a complete copy visible. Can be repeated. */
  publish(session: Omit<ArchivedSession, "size">): Promise<void>;
  /** Which session each key stands for. */
  keys(): AsyncIterable<readonly [key: string, session: string]>;
  point(key: string, session: string): Promise<void>;
  markDue(session: string): Promise<void>;
  due(): Promise<string[]>;
  kept(): Promise<KeptNames>;
}
