import type { DragomanError } from "../core/error.js";
import type { SessionMeta } from "../core/message/notes.js";
import type { AgentMessage, SessionMessage } from "../core/types.js";

/** A place between two messages of a session. It is opaque: only what a log gave out is a position. 0 is the beginning. */
export type Position = number;

/** A message and where it stands. */
export interface Entry {
  message: AgentMessage;
  position: Position;
  /** The place right after it. */
  next: Position;
}

/** A line that is no message. It stays where it is; readers skip it and tell. */
export interface BadLine {
  position: Position;
  next: Position;
  /** What is wrong with it: `log/bad-line`, with the line's number where the reader came from the beginning. */
  problem: DragomanError;
}

export interface ReadOptions {
  from?: Position;
  onBadLine?: (line: BadLine) => void;
}

export interface Appended {
  /** What was stored: the same messages, each with an id. */
  messages: AgentMessage[];
  position: Position;
  next: Position;
}

/**
 * One session: an append-only sequence of messages, the first of which says which session it is.
 * A promise of `append` is fulfilled when its messages are on disk. If it is rejected none of them is there, unless the
 * error says so; only a power failure can leave the first ones of an append that nobody was told of. Readers never wait
 * for writers.
 */
export interface SessionLog {
  readonly id: string;
  readonly header: SessionMessage;
  /**
   * Appends of one process are stored in the order of the calls, also when nobody waits for the one before.
   * With `expect` it stores only if nobody has appended since that position; otherwise it is refused with `log/moved`,
   * whose `details.end` is where the session ends. So a retry of an append whose outcome is unknown is safe.
   */
  append(messages: readonly AgentMessage[], options?: { expect?: Position }): Promise<Appended>;
  /** From a position to the end as it is when the reader gets there. */
  read(options?: ReadOptions): AsyncIterable<Entry>;
  /** The last messages before a position, oldest first. What it costs does not depend on the size of the session. */
  last(
    count: number,
    options?: { before?: Position; onBadLine?: ReadOptions["onBadLine"] },
  ): Promise<Entry[]>;
  /** Like `read`, and then whatever is appended, by this process or another, until the signal aborts. */
  tail(options: ReadOptions & { signal: AbortSignal }): AsyncIterable<Entry>;
  end(): Promise<Position>;
  close(): Promise<void>;
}

/** A session as it is found on disk, before it is opened. */
export interface SessionFile {
  id: string;
  agent: string;
  path: string;
  /** Written by another program (an OpenClaw home): it is read in place, and never changed. */
  foreign: boolean;
  /** The session key that a foreign file is named by. What a session of ours is reached by is in its header. */
  key?: string;
  size: number;
  modified: number;
}

/** What a caller of `list` knows already, by path. */
export type KnownFiles = ReadonlyMap<string, Pick<SessionFile, "size" | "modified" | "foreign">>;

export interface NewSession {
  agent: string;
  /** Without a key the session is reachable by its id alone. */
  key?: string;
  title?: string;
  /** The session and message this one continues or was started by. */
  parent?: SessionMessage["parent"];
  /** What is settled for it from the beginning. */
  meta?: Omit<SessionMeta, "title">;
}

/** The right to run a session: one holder at a time among all processes, freed when its process dies. */
export interface Lease {
  release(): Promise<void>;
}

/** Appends the first messages of a session that was just made. */
export type Fill = (session: SessionLog) => Promise<void>;

export interface Log {
  /**
   * With `fill`, the session appears with all its first messages or, if that fails or the process is killed, not at all: until
   * then no one lists or opens it, and its key leads where it led before.
   */
  create(session: NewSession, fill?: Fill): Promise<SessionLog>;
  /** By id. `log/no-session` when there is none, `log/foreign` when another program wrote it. */
  open(id: string): Promise<SessionLog>;
  /** The id of the session that a key stands for. */
  find(key: string): Promise<string | undefined>;
  /**
   * The session a key stands for; made as by `create` if there is none yet, by one of those who ask at the same time.
   */
  openOrCreate(session: NewSession & { key: string }, fill?: Fill): Promise<SessionLog>;
  /** The session of another program by its id, or by the key its file is named by. */
  findForeign(name: string): Promise<SessionFile | undefined>;
  /** A file that still has the size and time in `known` is not opened, which makes a list of many sessions cheap. */
  list(known?: KnownFiles): AsyncIterable<SessionFile>;
  /** Undefined while somebody has it, this process included. It does not hinder anybody from appending. */
  lease(id: string): Promise<Lease | undefined>;
}
