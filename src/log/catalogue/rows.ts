import type { SpentPart } from "./digest.js";
import type { SessionState } from "./state.js";

/** A session in the index: what lists are filtered and sorted by, and the rest as JSON, which is read when it is needed. */
export interface SessionRow {
  /** Never reused: a session that is indexed again gets a new number. */
  n: number;
  source: string;
  path: string;
  id: string;
  agent: string;
  key: string | undefined;
  foreign: boolean;
  /** 0 if unknown. */
  created: number;
  active: number;
  archived: boolean;
  parent: string | undefined;
  folder: string | undefined;
  inode: number;
  position: number;
  size: number;
  modified: number;
  state: string;
  spent: string;
}

/** A file of the text index. */
export interface SegmentRow {
  n: number;
  /** Segments with later messages have a higher one. */
  place: number;
  messages: number;
  /** Of the messages' texts. */
  bytes: number;
}

/** A change of the index. */
export type Change =
  | { kind: "session"; row: SessionRow }
  | { kind: "drop"; n: number; isDeleted: boolean }
  | { kind: "forget"; n: number }
  | { kind: "segment"; row: SegmentRow }
  | { kind: "replaced"; n: number }
  | { kind: "complete" };

export function rowOf(n: number, state: SessionState, spent: readonly SpentPart[]): SessionRow {
  const { source, path, id, agent, key, foreign, created, active, archived, parent, folder } = state.summary;
  return {
    n,
    ...{ source, path, id, agent, key, foreign, created: created ?? 0, active: active ?? 0, archived },
    ...{ parent: parent?.session, folder, inode: state.inode, position: state.position },
    ...{ size: state.size, modified: state.modified },
    ...{ state: JSON.stringify(state), spent: JSON.stringify(spent) },
  };
}

/** The rows of an index. */
export class Rows {
  /** Whether all sessions of the home have been indexed at least once. */
  isComplete = false;
  lastSession = 0;
  lastSegment = 0;
  readonly sessions = new Map<number, SessionRow>();
  readonly segments = new Map<number, SegmentRow>();
  /** Numbers without a session that segments may still have messages of, and whether the file was deleted. */
  readonly gone = new Map<number, boolean>();
  /** By source and path. */
  readonly #byFile = new Map<string, SessionRow>();
  readonly #sorted = new Map<"active" | "created", SessionRow[]>();
  #ownKeys: Set<string> | undefined;

  at(source: string, path: string): SessionRow | undefined {
    return this.#byFile.get(`${source}\0${path}`);
  }

  /** Of all kinds. */
  get count(): number {
    return this.sessions.size + this.segments.size + this.gone.size;
  }

  countOf(source: string): number {
    let count = 0;
    for (const row of this.sessions.values()) if (row.source === source) count += 1;
    return count;
  }

  /** All sessions, latest first. */
  latest(sort: "active" | "created"): readonly SessionRow[] {
    const known = this.#sorted.get(sort);
    if (known !== undefined) return known;
    const sorted = [...this.sessions.values()].sort(
      (one, other) => other[sort] - one[sort] || other.n - one.n,
    );
    this.#sorted.set(sort, sorted);
    return sorted;
  }

  /** False for a foreign session that one of ours continues: the key names ours alone. */
  isCurrent({ foreign, key }: SessionRow): boolean {
    if (!foreign || key === undefined) return true;
    this.#ownKeys ??= new Set(
      [...this.sessions.values()].flatMap((row) => (row.foreign || row.key === undefined ? [] : [row.key])),
    );
    return !this.#ownKeys.has(key);
  }

  /** All segments, from the oldest messages to the latest. */
  orderedSegments(): SegmentRow[] {
    return [...this.segments.values()].sort((one, other) => one.place - other.place);
  }

  apply(change: Change): void {
    switch (change.kind) {
      case "session":
        this.#set(change.row);
        return;
      case "drop":
        this.#drop(change.n);
        this.gone.set(change.n, change.isDeleted);
        return;
      case "forget":
        this.gone.delete(change.n);
        return;
      case "segment":
        this.segments.set(change.row.n, change.row);
        this.lastSegment = Math.max(this.lastSegment, change.row.n);
        return;
      case "replaced":
        this.segments.delete(change.n);
        return;
      case "complete":
        this.isComplete = true;
        return;
      default:
        change satisfies never;
    }
  }

  #set(row: SessionRow): void {
    this.sessions.set(row.n, row);
    this.#byFile.set(`${row.source}\0${row.path}`, row);
    this.lastSession = Math.max(this.lastSession, row.n);
    this.#forgetOrder();
  }

  #drop(n: number): void {
    const row = this.sessions.get(n);
    if (row === undefined) return;
    this.sessions.delete(n);
    if (this.at(row.source, row.path)?.n === n) this.#byFile.delete(`${row.source}\0${row.path}`);
    this.lastSession = Math.max(this.lastSession, n);
    this.#forgetOrder();
  }

  #forgetOrder(): void {
    this.#sorted.clear();
    this.#ownKeys = undefined;
  }
}
