import type { Place } from "./error.js";
import type { AgentMessage } from "./types.js";

/**
 * A dialect reads and writes conversations in one system's own words. It is a handful of pure functions over
 * *records* (a line of a JSONL file, a message of a JSON document; always parsed JSON objects) and *messages* of the
 * model. Everything else is done once for all dialects by `convert`: bytes, places, branches, the loss ledger, escrow.
 *
 * Records and messages rarely stand one to one: a turn of one system is three messages of another. So both sides are
 * cut into *units*, the smallest groups that can be translated without looking at their neighbours.
 *
 *     records   ─ joins ─▶         unit ─ decode ─▶ messages
 *     messages  ─ joinsMessage ─▶  unit ─ encode ─▶ records
 */
export interface Dialect {
  readonly name: string;
  readonly title: string;
  readonly kind: "transcript" | "provider";
  readonly framing: Framing;
  /**
   * Whether it can say `parentId`. One that cannot is given the active branch alone. One that can is framed as lines, each
   * line is a unit by itself, and a line whose message has a parent has `PARENT_KEY` among its keys: `convert` finds a branch
   * line by line, and parses only those lines in which that key stands.
   */
  readonly branches: boolean;
  /** Whether it can say `isPending`. One that cannot is given the final result of a call alone. */
  readonly pendingResults?: boolean;
  /** Why things that it cannot say are lost; the first match counts. */
  readonly limits: readonly Limit[];
  /** How sure we are, from 0 to 1, that these are records of this dialect. */
  detect(sample: Sample): number;
  /** What to do with something that is nearly in this dialect, if it is. */
  advise?(sample: Sample): string | undefined;
  /** Whether `next` belongs to the same unit as the record before it. */
  joins(last: JsonRecord, next: JsonRecord): boolean;
  /** The messages of one unit, or of any records in a row. Throws a `DragomanError` whose `at` points into the unit (`/0/content`). */
  decode(unit: readonly JsonRecord[]): Decoded[];
  joinsMessage(last: AgentMessage, next: AgentMessage): boolean;
  /**
   * The records of one unit; none for what it cannot say at all. It never throws and need not report what is lost:
   * that is found by decoding the result. An empty unit asks for what must come first when no `session` message does.
   * `next` follows the unit, if anything does: a header may have to say what kind of records it announces.
   * `last` is the record written before it, if any: records may have to be sorted.
   */
  encode(unit: readonly AgentMessage[], next?: AgentMessage, last?: JsonRecord): JsonRecord[];
  /** Where a unit differs from the dialect's contract though it can be read. */
  check?(unit: readonly JsonRecord[]): Drift[];
  /**
   * Where a whole input differs from the contract in a way that no unit shows by itself. Pointers are into all the records.
   * Only for dialects whose framing holds them all in memory anyway.
   */
  checkAll?(records: readonly JsonRecord[]): Drift[];
  /** A record as it should have been written, when it has a known mistake with one right fix. */
  mend?(record: JsonRecord): Mended | undefined;
  /** The frames in which a record arrives while it is being made, the last of them final, for dialects that stream. */
  live?(record: JsonRecord, cut: (text: string) => Iterable<string>): JsonRecord[];
}

/** What a record of a dialect with branches calls the message that it follows. */
export const PARENT_KEY = "parentId";

export type JsonRecord = Record<string, unknown>;

export interface Decoded {
  message: AgentMessage;
  /** Which record of the unit it begins in. */
  record: number;
  /** Where in that record it stands in the model's own shape, if it does; pointers into it are then exact. */
  base?: string;
}

/** How a file holds records. */
export type Framing =
  /** Each line is a record. */
  | { readonly kind: "lines" }
  /** Lines that change each other, and together amount to records. */
  | { readonly kind: "frames"; fold(frames: readonly Frame[]): Folded }
  /** One JSON value holds all records. */
  | {
      readonly kind: "document";
      /** What stands where records should. Throws a `DragomanError` whose `at` points into a document that has no such place. */
      split(document: unknown): unknown[];
      join(records: readonly JsonRecord[]): unknown;
      /** The document that the payloads of a recorded stream amount to, if a stream may stand in its place. */
      fold?(payloads: readonly unknown[]): unknown;
      /** Where the record of that index stands in the document. */
      pointer(index: number): string;
    };

export interface Frame {
  readonly value: unknown;
  /** The index of its line among the lines that are not blank. */
  readonly index: number;
}

export interface Folded {
  /** Each with the index of the frame to point at. */
  records: { value: JsonRecord; index: number }[];
  losses: FoldLoss[];
}

/** What folding did not keep. */
export interface FoldLoss {
  /** Pointer into the array of frames. */
  at: string;
  what: string;
  why: string;
  severity: "dropped" | "approximated";
  /** The indices of the frames that no record says. */
  frames: readonly number[];
}

/** Something the dialect has no words for. */
export interface Limit {
  // A block comment would end at the star and slash of a pattern such as /content/*/ext.
  // Pointer into a message; a star stands for any one token. It covers what is below it.
  readonly at: string;
  /** The role it is about; any when absent. */
  readonly role?: string;
  readonly why: string;
}

/** The beginning of an input, as far as it could be parsed. */
export interface Sample {
  /** The records of lines; a document that is one object could be a line that somebody printed over several. */
  readonly lines: readonly unknown[];
  /** The whole input when it is one JSON value. */
  readonly document: unknown;
  /** The payloads of server-sent events, when the input is a recording of those. */
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

/** One thing `check` found. */
export interface Problem extends Place {
  at: string;
  code: string;
  message: string;
  hint?: string;
  severity: Severity;
}

export interface Mended {
  records: JsonRecord[];
  /** What was changed, in words, one sentence each. */
  changes: string[];
}
