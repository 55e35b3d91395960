import type { Place } from "./error.js";
import type { AgentMessage, CompactionMessage, Loss } from "./types.js";

/**
 * A dialect reads and writes conversations in one system's format. It is a handful of pure functions over
 * *records* (a line of a JSONL file, a message in a JSON document; always parsed JSON objects) and *messages* of the
 * model. `convert` does everything else once for all dialects: bytes, places, branches, the loss ledger, escrow.
 *
 * Records and messages rarely map one to one: a turn in one system is three messages in another. So both sides are
 * split into *units*, the smallest groups that can be translated without their neighbours.
 *
 *     records   ─ joins ─▶         unit ─ decode ─▶ messages
 *     messages  ─ joinsMessage ─▶  unit ─ encode ─▶ records
 */
export interface Dialect {
  readonly name: string;
  readonly title: string;
  readonly kind: "transcript" | "provider";
  readonly framing: Framing;
  /** For a dialect that is only read, or only written: which, and what to do instead. */
  readonly oneWay?: OneWay;
  /** Whether it can represent `parentId`. One that cannot gets only the active branch. One that can is not framed as frames. */
  readonly branches: boolean;
  /**
   * For a dialect with branches in which each line is its own unit: the key that every line with a parent contains. To find
   * a branch, `convert` then parses only those lines (default: all of them).
   */
  readonly parentKey?: string;
  /** How a message affects which one is the active leaf (default: `leaf`). */
  leafRole?(message: AgentMessage): LeafRole;
  /** For a dialect without branches in which a record can take back earlier turns. */
  readonly rollback?: Rollback;
  /** What a message lacks that its file cannot state, such as a part of the session in another file; the place is added. */
  lossesOf?(message: AgentMessage): Omit<Loss, "at">[];
  /**
   * Whether a compaction is written with the whole history that is left (default: no). One that keeps earlier messages by
   * their ids then gets this history as `replacement` instead.
   */
  compactsToHistory?(compaction: CompactionMessage): boolean;
  /** The keys of records whose compaction keeps messages. Inputs without one of them are not searched for such messages. */
  readonly keptKeys?: readonly string[];
  /** Whether a record only carries a message: it is read back, but the dialect's program does not show it to a model. */
  isCarrier?(record: JsonRecord): boolean;
  /** Whether it can represent `isPending`. One that cannot gets only a call's final result. */
  readonly pendingResults?: boolean;
  /** Why unsupported fields are lost; the first match applies. */
  readonly limits: readonly Limit[];
  /** The confidence, from 0 to 1, that these are records of this dialect. */
  detect(sample: Sample): number;
  /** A hint for input that is almost in this dialect; otherwise undefined. */
  advise?(sample: Sample): string | undefined;
  /** Whether `next` belongs to the same unit as the record before it. `first` is the first record of that unit. */
  joins(last: JsonRecord, next: JsonRecord, first: JsonRecord): boolean;
  /**
   * The messages of one unit, or of any consecutive records. Throws a `DragomanError` whose `at` points into the unit
   * (`/0/content`). `last` is the record before it, if any: a record may leave out what it has in common with that one.
   */
  decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[];
  /**
   * The same messages as `decode`, each with its role, id, parent and leaf role; everything else may be missing. A large
   * tree is read once in this way to find its branches.
   */
  skim?(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[];
  /**
   * The same messages as `decode`, of records that the dialect has just written; its own notes in `ext` may be missing. The
   * converter reads back in this way to find losses (default: `decode`).
   */
  decodeWritten?(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[];
  joinsMessage(last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean;
  /**
   * Whether later records can refer to this one (default: all). The `last` record of `decode` and `encode` is the last
   * such record; until there is one, it is the last record of any kind.
   */
  isLink?(record: JsonRecord): boolean;
  /**
   * The records of one unit; none if it cannot represent the unit at all. It never throws and need not report losses:
   * decoding the result finds them. An empty unit requests what must come first when there is no `session` message.
   * `next` is the message after the unit, if any: a header may have to state the kind of the records that follow.
   * `last` is the record written before it, if any: records may have to be sorted.
   */
  encode(unit: readonly AgentMessage[], next?: AgentMessage, last?: JsonRecord): JsonRecord[];
  /** Where a readable unit differs from the dialect's contract. */
  check?(unit: readonly JsonRecord[]): Drift[];
  /**
   * Where the whole input differs from the contract in a way that no single unit shows. Pointers are into all records.
   * Only for dialects whose framing holds all records in memory anyway.
   */
  checkAll?(records: readonly JsonRecord[]): Drift[];
  /** The corrected record, if it has a known error with one unambiguous fix. */
  mend?(record: JsonRecord): Mended | undefined;
  /** For streaming dialects: the frames in which a record arrives while it is being written, the final one last. */
  live?(record: JsonRecord, cut: (text: string) => Iterable<string>): JsonRecord[];
}

/**
 * How a message affects which one is the active leaf:
 *
 * - `leaf`: it can be the leaf; the last such message is;
 * - `tail`: it cannot, but it is on the active branch if it follows the leaf directly, such as a note about the last answer;
 * - `aside`: it cannot, because it belongs to a branch of its own, such as a sub-agent's;
 * - an id: it names the leaf, until a later message can be the leaf or names another.
 */
export type LeafRole = "leaf" | "tail" | "aside" | { readonly id: string };

/** The one extra field in which a record carries what its dialect cannot represent. */
export const ESCROW = "x-dragoman";

/** How turns are taken back. Other dialects get the messages of these turns as notes. */
export interface Rollback {
  /** A string value in every record that takes back turns. Inputs without it are not searched for turns. */
  readonly key: string;
  /** Undefined for a message that is not part of the conversation. */
  role(message: AgentMessage): RollbackRole | undefined;
}

/**
 * How a message affects which turns are taken back:
 *
 * - `start`: it starts a turn;
 * - `before`: if it directly precedes a turn other than the first, it belongs to that turn, such as a new folder;
 * - `within`: it belongs to the turn in which it is;
 * - `turns`: it takes back that many of the last turns that are left.
 */
export type RollbackRole = "start" | "before" | "within" | { readonly turns: number };

export type JsonRecord = Record<string, unknown>;

export interface Decoded {
  message: AgentMessage;
  /** The index of the record in the unit in which it begins. */
  record: number;
  /** Pointer to the message in that record, if it is there in the model's own shape; pointers into it are then exact. */
  base?: string;
}

/**
 * A dialect that is only read or only written. One that is only written still decodes its own records: `convert` decodes what
 * it wrote to find the losses, but never reads a file.
 */
interface OneWay {
  readonly only: "reads" | "writes";
  /** What to do instead, as the hint of an error. */
  readonly hint: string;
}

/** How a file contains records. */
export type Framing =
  /** Each line is a record. */
  | { readonly kind: "lines" }
  /** Lines that modify earlier ones; folded, they make up records. */
  | {
      readonly kind: "frames";
      fold(frames: readonly Frame[]): Folded;
      /** The id of a record, if a later record with the same id replaces it. */
      idOf?(record: JsonRecord): string | undefined;
    }
  /** One JSON value contains all records. */
  | {
      readonly kind: "document";
      /** The values at the place of the records. Throws a `DragomanError` with a pointer if the document has no such place. */
      split(document: unknown): unknown[];
      join(records: readonly JsonRecord[]): unknown;
      /** The document that the payloads of a recorded stream make up, if the dialect accepts a stream instead. */
      fold?(payloads: readonly unknown[]): unknown;
      /** The pointer to the record with that index in the document. */
      pointer(index: number): string;
      /** The pointers to all records, if they depend on the document, such as on the keys of an object. */
      pointers?(document: unknown): string[];
      /**
       * For a dialect whose files may be arrays of conversations: describes one. `split` accepts a conversation, alone or
       * as the only member of an array; `convert` picks one out of several.
       */
      conversation?(value: unknown): ConversationInfo;
    }
  /** Text for people, which is only written. Each record states what the text shows, and the text shows all of it. */
  | { readonly kind: "text"; readonly extension: string; open(): RecordWriter };

/** Writes records as text, piece by piece. */
export interface RecordWriter {
  push(records: readonly JsonRecord[]): string[];
  finish(): string[];
}

/** What a list of conversations shows of one. */
export interface ConversationInfo {
  id?: string;
  title?: string;
  /** When it began, in Unix milliseconds. */
  created?: number;
  /** The number of messages, of all branches. */
  messages: number;
}

export interface Frame {
  readonly value: unknown;
  /** The index of its line among the non-blank lines. */
  readonly index: number;
}

export interface Folded {
  /** Each with the index of the frame to report as its place. */
  records: { value: JsonRecord; index: number }[];
  losses: FoldLoss[];
}

/** Something that folding lost. */
export interface FoldLoss {
  /** Pointer into the array of frames. */
  at: string;
  what: string;
  why: string;
  severity: "dropped" | "approximated";
  /** The indices of the frames that no record represents. */
  frames: readonly number[];
}

/** Something the dialect cannot represent. */
export interface Limit {
  // A block comment would end at the star and slash of a pattern such as /content/*/ext.
  // Pointer into a message; a star matches any one token. It covers everything below it.
  readonly at: string;
  /** The role it applies to (default: any). */
  readonly role?: string;
  readonly why: string;
}

/** The start of an input, as far as it could be parsed. */
export interface Sample {
  /** The records of lines; a document that is one object could be a single line, pretty-printed. */
  readonly lines: readonly unknown[];
  /** The whole input when it is one JSON value. */
  readonly document: unknown;
  /** The payloads of server-sent events, if the input is a recorded stream. */
  readonly events?: readonly unknown[];
}

export interface Drift {
  /** Pointer into the unit. */
  at: string;
  /** `area/reason` */
  code: string;
  message: string;
  hint?: string;
  severity?: Severity;
}

export type Severity = "error" | "warning";

/** A finding of `check`. */
export interface Problem extends Place {
  at: string;
  code: string;
  message: string;
  hint?: string;
  severity: Severity;
}

export interface Mended {
  records: JsonRecord[];
  /** The changes, one sentence each. */
  changes: string[];
}
