import type { Catalogue } from "./catalogue/types.js";
import type { Lease, Log } from "./types.js";

/**
 * Everything that a gateway keeps. Processes that open the same store share it. A call is fulfilled when its effect is
 * durable, unless its description states otherwise; a rejected call has no effect, unless its error states otherwise.
 *
 * Names of leases, journals, cells and values are paths of one or more segments, such as `channels/telegram/main/inbox`.
 * A segment is not empty, is not `.` or `..`, and contains no slash, backslash or control character.
 */
export interface Store {
  /** Names the store for people: a folder, or the address of a database without its password. */
  readonly where: string;
  readonly log: Log;
  /** Derived from the log. */
  readonly catalogue: Catalogue;
  readonly due: DueSessions;
  readonly blobs: Blobs;
  /** Undefined if only one process can use the store. */
  readonly holders?: LeaseHolders;
  /** A lease of anything but a session. Undefined while any process, this one included, holds it. */
  lease(name: string): Promise<Lease | undefined>;
  /** Waits until the lease is free. If the signal aborts first, the call is rejected with the signal's reason. */
  waitForLease(name: string, signal: AbortSignal): Promise<Lease>;
  /** The mark of a session's run, for the holder of the session's lease. Nothing is read or written before its first call. */
  mark(session: string, under: Lease): RunMark;
  /**
   * Opens a journal, for the holder of the lease that protects it. Fulfilled when all its records were applied. A name has
   * one open journal at a time.
   */
  journal<T>(name: string, under: Lease, options: JournalOptions<T>): Promise<Journal<T>>;
  /** A small value that several processes read and change. */
  cell<T>(name: string, codec: CellCodec<T>): Cell<T>;
  /** Small texts by name, for the holder of the lease that protects them. */
  values(name: string, under: Lease): Values;
  /** Lines that any process adds, such as the usage records of a month. */
  lines(name: string): SharedLines;
  /** The names of all lines that begin with these segments, sorted. */
  lineNames(folder: string): Promise<string[]>;
  /** For metrics. Undefined in a store that is not shared among computers. */
  counts?(): StoreCounts;
  /** Rejected, with the reason, if the store cannot be read or written now. */
  ready(): Promise<void>;
  /** Does not release leases. */
  close(): Promise<void>;
}

/** Since the store was opened. */
export interface StoreCounts {
  appends: number;
  /** Transactions that stored appends. */
  commits: number;
  /** Transactions that were sent again, because the connection ended before their answers arrived. */
  repeatedCommits: number;
  leases: number;
  /** Leases that were acquired after their former holder had died. */
  takeovers: number;
  /** Leases that this process did not renew in time. */
  lostLeases: number;
}

/**
 * Which processes hold leases, for processes that can reach each other. A holder is an opaque text: another one for each
 * process, and for each time that a process opens the store.
 */
export interface LeaseHolders {
  /** This process, as a holder of the leases that it acquires. */
  me(): Promise<string>;
  /** The holder of a session's lease; undefined if the lease is free or its holder is known to be dead. */
  ofSession(id: string): Promise<string | undefined>;
  /** The same for any other lease. */
  of(name: string): Promise<string | undefined>;
}

/**
 * The sessions that wait for an answer: those with an append marked `due` that `clearDue` has not cleared, and those with a
 * run mark. Both lists may contain sessions that another process runs, so the reader acquires the lease, and then reads
 * the session to see what is left to do. A session that was deleted may be listed; `forget` removes it.
 */
export interface DueSessions {
  list(): Promise<string[]>;
  has(session: string): Promise<boolean>;
  /**
   * Every due session at first, then each one that becomes due or whose lease becomes free, until the signal aborts. A
   * session that stays due without a lease in this process is repeated, at least every few seconds. Sessions whose leases
   * this process holds are left out.
   */
  follow(signal: AbortSignal): AsyncIterable<string>;
  /** The session is no longer due, whatever it contains: it does not exist any more. */
  forget(session: string): Promise<void>;
}

/**
 * The mark of a run in progress, with the events of the answer that is being received, as text. The session is due from
 * `open` to `remove`, also if the process ends between them. The text survives the end of the process but may be lost with
 * the power; in a store that survives the loss of a machine, the mark itself does too. Writes under a lost lease are refused with `log/fenced`.
 */
export interface RunMark {
  /** What a former holder has written since its last `clear`; undefined if there is no mark. */
  read(): Promise<string | undefined>;
  /** Creates the mark, without text; an existing one loses its text. */
  open(): Promise<void>;
  /** Fulfilled when the text would survive the end of this process. Calls are stored in order. */
  append(text: string): Promise<void>;
  /** Removes the text. The mark stays. */
  clear(): Promise<void>;
  remove(): Promise<void>;
  /** Releases resources. The mark and its text stay for the next holder. */
  close(): Promise<void>;
}

export interface JournalOptions<T> {
  /** Parses a stored value; undefined if it is not a record. */
  read(value: unknown): T | undefined;
  /** Called for each record in order: for the stored ones when the journal is opened, then for each one once it is stored. */
  apply(record: T): void;
  /** Records equivalent to all that were applied. */
  snapshot(): Iterable<T>;
  /** Called with messages for the user, such as about records that could not be read. */
  onNote(text: string): void;
}

/** Append-only records of JSON, from time to time replaced by a snapshot. */
export interface Journal<T> {
  /**
   * Fulfilled when the records are stored, all or none, and were applied. Appends that arrive while the store is busy are
   * stored together. Refused with `log/fenced` after the lease was lost.
   */
  append(records: readonly T[]): Promise<void>;
  close(): Promise<void>;
}

export interface CellCodec<T> {
  /** The value of a cell that does not exist. */
  empty: T;
  /** `where` names the cell for people, such as the path of a file. Throws if the text is not a value. */
  parse(text: string, where: string): T;
  print(value: T): string;
  /** The error for a cell that must not be used, such as a file that other users can write to. */
  refuse(where: string, reason: string, hint: string): Error;
}

/** A small value, read and replaced as a whole. */
export interface Cell<T> {
  /** Names the cell for people, such as the path of a file. */
  readonly where: string;
  /** False until the first `change` that writes. */
  exists(): Promise<boolean>;
  /** The current value, no matter which process changed it. Cheap while it is unchanged. */
  read(): Promise<T>;
  /** Replaces the value while no other process does. An edit that returns its argument writes nothing. */
  change(edit: (value: T) => T): Promise<T>;
}

/** Texts by name. Names may contain any characters. Writes are refused with `log/fenced` after the lease was lost. */
export interface Values {
  names(): Promise<string[]>;
  read(name: string): Promise<string | undefined>;
  /** Writes of one name are stored in the order of the calls, and a read sees the writes that were called before it. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Lines of text that any process adds at the end. Nothing is removed. */
export interface SharedLines {
  /** Names the lines for people, such as the path of a file. */
  readonly where: string;
  /**
   * Fulfilled when the line would survive the end of this process; the disk follows in the background. In files, that is
   * when the call returns. A call that was rejected can be repeated: with the same id, the line is stored once.
   */
  add(line: string, id: string): Promise<void>;
  /** Reads from the first line on. */
  reader(options: LineReaderOptions): LineReader;
  /** Releases resources. */
  close(): void;
}

export interface LineReaderOptions {
  /**
   * Called for each line in order, except blank ones.
   *
   * @param text undefined if the line is not UTF-8
   * @param number counted from 1
   */
  apply(text: string | undefined, number: number): void;
  /** The lines were deleted or replaced: what was applied no longer counts. */
  reset(): void;
}

export interface LineReader {
  /** Fulfilled when every line that is stored now was applied. */
  readNew(): Promise<void>;
}

/** What a message contains to refer to a blob: a path in the file store, otherwise `media:`, the hash and the extension. */
export type BlobRef = string;

export interface BlobOptions {
  /** The session whose message refers to the blob, and the session's agent. */
  session: string;
  agent: string;
  /** Of the file's name, without a dot. */
  extension: string;
}

export interface StoredBlob extends BlobOptions {
  ref: BlobRef;
  /** The beginning of the content's SHA-256: 32 hexadecimal digits. */
  hash: string;
}

/** Files of a session, named by the hash of their content: a session has the same content once. */
export interface Blobs {
  put(bytes: Uint8Array, options: BlobOptions): Promise<BlobRef>;
  /** Undefined if there is no such blob. References of other stores lead to the same content, if it was copied. */
  get(ref: BlobRef): Promise<Uint8Array | undefined>;
  list(): AsyncIterable<StoredBlob>;
}
