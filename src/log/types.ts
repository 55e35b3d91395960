import type { DragomanError } from "../core/error.js";
import type { SessionMeta } from "../core/message/notes.js";
import type { AgentMessage, SessionMessage } from "../core/types.js";

/** A place between two messages of a session. Opaque: only values that a log returned are valid. 0 is the beginning. */
export type Position = number;

/** A message and its position. */
export interface Entry {
  message: AgentMessage;
  position: Position;
  /** The position right after it. */
  next: Position;
}

/** A line that is not a message. It stays in the file; readers skip and report it. */
export interface BadLine {
  position: Position;
  next: Position;
  /** `log/bad-line`, with the line's number if the reader started at the beginning. */
  problem: DragomanError;
}

export interface ReadOptions {
  from?: Position;
  onBadLine?: (line: BadLine) => void;
}

/** Where messages are stored. */
export interface Place {
  position: Position;
  /** The position right after them. */
  next: Position;
}

export interface Appended extends Place {
  /** The messages as stored, each with an id. */
  messages: AgentMessage[];
  /** Set if `once` found a stored message with the same key: its place. Then nothing was stored, and `messages` is empty. */
  before?: Place;
}

/** Checked in this order: `under`, `once`, `expect`. */
export interface AppendOptions {
  /**
   * The append fails unless the session ends at this position: with `log/moved`, whose `details.end` is the end of the
   * session. So an append whose outcome is unknown can be retried safely.
   */
  expect?: Position;
  /**
   * The append fails with `log/fenced` unless this lease of the session is still held. The store checks this in the same
   * step in which it stores the messages, so a former holder cannot write, however late its request arrives.
   */
  under?: Lease;
  /**
   * Stores nothing if a message of the session has the idempotency key of one of these messages (`idempotencyKeyOf`), with or
   * without this option. Of several concurrent appends with the same key, one is stored.
   */
  once?: true;
  /** The session is due from this append on: the messages are stored and the session is marked as due, or neither. */
  due?: true;
}

/**
 * One session: an append-only sequence of messages, the first of which is its header.
 * `append` is fulfilled when its messages are on disk. If it is rejected, none of them is stored, unless the error states
 * otherwise; only a power failure can leave the first messages of an unacknowledged append. Readers never wait for writers.
 */
export interface SessionLog {
  readonly id: string;
  readonly header: SessionMessage;
  /**
   * A process's appends are stored in the order of the calls, even if they are not awaited.
   */
  append(messages: readonly AgentMessage[], options?: AppendOptions): Promise<Appended>;
  /**
   * The session is no longer due, unless messages were appended after `end`: then it stays due, and the result is false.
   * Only for the holder of the session's lease, which has read everything before `end`; others get `log/fenced`.
   */
  clearDue(under: Lease, end: Position): Promise<boolean>;
  /** From a position to the end at the time the reader gets there. */
  read(options?: ReadOptions): AsyncIterable<Entry>;
  /** The last messages before a position, oldest first. The cost does not depend on the session's size. */
  last(
    count: number,
    options?: { before?: Position; onBadLine?: ReadOptions["onBadLine"] },
  ): Promise<Entry[]>;
  /** Like `read`, then everything that is appended, by this process or another, until the signal aborts. */
  tail(options: ReadOptions & { signal: AbortSignal }): AsyncIterable<Entry>;
  end(): Promise<Position>;
  close(): Promise<void>;
}

/** A session on disk, before it is opened. */
export interface SessionFile {
  id: string;
  agent: string;
  path: string;
  /** Written by another program (such as OpenClaw): read in place, and never changed. */
  foreign: boolean;
  /** The id is that of the header in the file, if it has one. */
  idInHeader?: boolean;
  /** The session key in a foreign file's name. Our own sessions have it in their header. */
  key?: string;
  size: number;
  modified: number;
}

/** Files that a caller of `list` already knows, by path. */
export type KnownFiles = ReadonlyMap<string, Pick<SessionFile, "size" | "modified" | "foreign">>;

export interface NewSession {
  agent: string;
  /** A new ULID, for a session that is referred to before it exists (default: one is generated). */
  id?: string;
  /** Without a key the session can be opened by its id only. */
  key?: string;
  title?: string;
  /** The session and message this one continues or was started by. */
  parent?: SessionMessage["parent"];
  /** Initial metadata. */
  meta?: Omit<SessionMeta, "title">;
}

/**
 * The exclusive right to do something, among all processes, such as to run a session. It ends when it is released, when its
 * process ends, or when the process cannot renew it in time.
 */
export interface Lease {
  /** Grows with each new holder, also across restarts. */
  readonly fence: number;
  /**
   * Aborts, with `log/fenced` as the reason, when the lease may have ended without `release`. The holder must stop at once:
   * another process may have become the holder. What it stores afterwards under the lease is refused.
   */
  readonly lost: AbortSignal;
  /** Can be called more than once. */
  release(): Promise<void>;
}

/** Appends a new session's first messages. */
export type Fill = (session: SessionLog) => Promise<void>;

export interface Log {
  /**
   * With `fill`, the session appears with all its first messages or, if that fails or the process is killed, not at all: until
   * then it is not listed and cannot be opened, and its key still stands for the previous session.
   */
  create(session: NewSession, fill?: Fill): Promise<SessionLog>;
  /**
   * The same without `fill` and key, for a session that no one is told of before its first append is stored: only then is the
   * session certain to survive, too. What need not be awaited in between is not.
   */
  begin(session: Omit<NewSession, "key">): Promise<SessionLog>;
  /** By id. `log/no-session` when there is none, `log/foreign` when another program wrote it. */
  open(id: string): Promise<SessionLog>;
  /** The id of the session that a key stands for. */
  find(key: string): Promise<string | undefined>;
  /** The session a key stands for; if there is none, one of several concurrent callers creates it. */
  openOrCreate(session: NewSession & { key: string }, fill?: Fill): Promise<SessionLog>;
  /** A foreign session by its id, or by the key in its file's name. */
  findForeign(name: string): Promise<SessionFile | undefined>;
  /** Files whose size and time are those in `known` are not opened, which makes listing many sessions cheap. */
  list(known?: KnownFiles): AsyncIterable<SessionFile>;
  /** The lease of a session; undefined while any process, this one included, holds it. Restricts only appends with `under`. */
  lease(id: string): Promise<Lease | undefined>;
  /** Waits until the lease is free. If the signal aborts first, the call is rejected with the signal's reason. */
  waitForLease(id: string, signal: AbortSignal): Promise<Lease>;
}
