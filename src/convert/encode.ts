import type { Dialect, JsonRecord } from "../core/dialect.js";
import { CallNames } from "../core/message/call-names.js";
import type { AgentMessage, Loss } from "../core/types.js";
import { differences } from "./compare.js";
import type { SourceMessage } from "./decode.js";
import { ESCROW, makeEscrow, unsealed, withoutField } from "./escrow.js";
import { lossesBetween, neutralValues, partnersOf, type WrittenMessage } from "./ledger.js";
import { cut, Grouper } from "./units.js";

interface Pending {
  source: SourceMessage[];
  records: JsonRecord[];
  /** A reader would join these records to the unit before them. */
  needsSpan: boolean;
}

/** Called with each unit's messages and the records they became. */
export type UnitListener = (source: readonly SourceMessage[], records: readonly JsonRecord[]) => void;

interface EncodeOptions {
  escrow: boolean;
  onLoss: (loss: Loss) => void;
  onUnit?: UnitListener | undefined;
}

/**
 * Messages to records. Everything written is read back with the dialect's own decoder: the ledger is the difference, so
 * it is complete. With escrow, the difference travels in the records instead.
 */
export class MessageEncoder {
  readonly #dialect: Dialect;
  readonly #options: EncodeOptions;
  readonly #grouper: Grouper<SourceMessage>;
  readonly #names = new CallNames();
  #pending: Pending | undefined;
  /** Messages without a record of their own, and with no record before them to carry them. */
  #unwritten: SourceMessage[] = [];
  #started = false;
  #last: JsonRecord | undefined;

  constructor(dialect: Dialect, options: EncodeOptions) {
    this.#dialect = dialect;
    this.#options = options;
    this.#grouper = new Grouper((last, next) => dialect.joinsMessage(last.message, next.message));
  }

  push(next: SourceMessage): JsonRecord[] {
    if (next.unwritten === true) {
      if (!this.#grouper.attach(next)) this.#addUnwritten([next]);
      return [];
    }
    const prologue = this.#start(next.message);
    const unit = this.#grouper.push(next);
    return unit === undefined ? prologue : [...prologue, ...this.#encode(unit, next.message)];
  }

  finish(): JsonRecord[] {
    const prologue = this.#start();
    const unit = this.#grouper.finish();
    const records = unit === undefined ? [] : this.#encode(unit);
    const last = this.#pending ?? { source: this.#unwritten, records: [], needsSpan: false };
    return [...prologue, ...records, ...this.#flush(last)];
  }

  #start(first?: AgentMessage): JsonRecord[] {
    if (this.#started) return [];
    this.#started = true;
    return first?.role === "session" ? [] : this.#encode([], first);
  }

  #encode(source: SourceMessage[], next?: AgentMessage): JsonRecord[] {
    const written = source.filter(({ unwritten }) => unwritten !== true).map(({ message }) => message);
    const records = this.#dialect.encode(written, next, this.#last).map(unsealed);
    const [first] = records;
    this.#last = records.at(-1) ?? this.#last;
    const pending = this.#pending;
    if (first === undefined) {
      this.#addUnwritten(source);
      return [];
    }
    const last = pending?.records.at(-1);
    const joined = last !== undefined && this.#dialect.joins(last, first);
    if (pending !== undefined && joined && !this.#options.escrow) {
      for (const one of source) pending.source.push(one);
      for (const record of records) pending.records.push(record);
      return [];
    }
    const needsSpan = pending !== undefined && joined && !this.#keepsApart(pending.records, records);
    const done = pending === undefined ? [] : this.#flush(pending);
    this.#pending = { source: [...this.#unwritten, ...source], records, needsSpan };
    this.#unwritten = [];
    return done;
  }

  /** Whether a reader who joins these into one unit still finds the same messages. */
  #keepsApart(before: readonly JsonRecord[], after: readonly JsonRecord[]): boolean {
    const apart = [...this.#decode(before), ...this.#decode(after)];
    return differences(apart, this.#decode([...before, ...after])).length === 0;
  }

  /** Whether a reader who splits these into several units still finds the same messages. */
  #readsAlike(records: JsonRecord[]): boolean {
    const units = cut(records, this.#dialect.joins);
    if (units.length === 1) return true;
    const apart = units.flatMap((unit) => this.#decode(unit));
    return differences(this.#decode(records), apart).length === 0;
  }

  #addUnwritten(source: readonly SourceMessage[]): void {
    const keeper = this.#pending?.source ?? this.#unwritten;
    for (const one of source) keeper.push(one);
  }

  #flush(pending: Pending): JsonRecord[] {
    const isEmpty = pending.records.length === 0 && pending.source.length === 0;
    const records = this.#options.escrow && !isEmpty ? this.#seal(pending) : this.#reportLosses(pending);
    this.#options.onUnit?.(pending.source, records);
    return records;
  }

  /** Reports the differences a reader of these records will see. */
  #reportLosses({ source, records }: Pending): JsonRecord[] {
    const back = cut(records, this.#dialect.joins).flatMap((unit) => this.#readBack(unit));
    const messages = back.map(({ message }) => message);
    const partners = partnersOf(source, messages, this.#dialect);
    for (const loss of lossesBetween(source, messages, this.#dialect, partners)) this.#options.onLoss(loss);
    for (const loss of neutralValues(source, back, this.#dialect, partners)) this.#options.onLoss(loss);
    return records;
  }

  /**
   * Puts what the records cannot represent into the first one. That field is the whole record if the dialect can
   * represent none of the conversation.
   */
  #seal({ source, records, needsSpan }: Pending): JsonRecord[] {
    const [first = {}, ...rest] = records;
    const messages = source.map(({ message }) => message);
    const back = this.#readBack(records);
    for (const loss of neutralValues(source, back, this.#dialect)) this.#options.onLoss(loss);
    const decoded = back.map(({ message }) => message);
    const escrow = makeEscrow(messages, decoded, { dialect: this.#dialect.name, span: 1 + rest.length });
    if (escrow.messages === undefined && !needsSpan && this.#readsAlike(records)) return records;
    // The source's own field of that name is moved into the escrow.
    if (Object.hasOwn(first, ESCROW)) {
      return this.#seal({ source, records: [withoutField(first), ...rest], needsSpan });
    }
    return [{ ...first, [ESCROW]: escrow }, ...rest];
  }

  #readBack(records: readonly JsonRecord[]): WrittenMessage[] {
    return this.#dialect.decode(records).map(({ message, record, ...one }) => ({
      ...one,
      message: this.#names.complete(message),
      record: records[record],
    }));
  }

  #decode(records: readonly JsonRecord[]): AgentMessage[] {
    return this.#dialect.decode(records).map(({ message }) => message);
  }
}
