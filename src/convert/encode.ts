import type { Dialect, JsonRecord } from "../core/dialect.js";
import type { AgentMessage, Loss } from "../core/types.js";
import { differences } from "./compare.js";
import type { SourceMessage } from "./decode.js";
import { ESCROW, makeEscrow } from "./escrow.js";
import { lossesBetween } from "./ledger.js";
import { cut, Grouper } from "./units.js";

interface Pending {
  source: SourceMessage[];
  records: JsonRecord[];
  /** A reader would take these for a part of what comes before. */
  needsSpan: boolean;
}

/**
 * Messages to records. What it writes it reads back with the dialect's own decoder: the ledger is the difference, and
 * so cannot forget anything. With escrow the difference travels in the records instead.
 */
export class MessageEncoder {
  readonly #dialect: Dialect;
  readonly #escrow: boolean;
  readonly #onLoss: (loss: Loss) => void;
  readonly #grouper: Grouper<SourceMessage>;
  #pending: Pending | undefined;
  /** Messages that left no record and have none before them to travel with. */
  #homeless: SourceMessage[] = [];
  #started = false;

  constructor(dialect: Dialect, options: { escrow: boolean; onLoss: (loss: Loss) => void }) {
    this.#dialect = dialect;
    this.#escrow = options.escrow;
    this.#onLoss = options.onLoss;
    this.#grouper = new Grouper((last, next) => dialect.joinsMessage(last.message, next.message));
  }

  push(next: SourceMessage): JsonRecord[] {
    const prologue = this.#start(next.message.role === "session");
    const unit = this.#grouper.push(next);
    return unit === undefined ? prologue : [...prologue, ...this.#encode(unit)];
  }

  finish(): JsonRecord[] {
    const prologue = this.#start(false);
    const unit = this.#grouper.finish();
    const records = unit === undefined ? [] : this.#encode(unit);
    return [...prologue, ...records, ...this.#flush()];
  }

  #start(hasSession: boolean): JsonRecord[] {
    if (this.#started) return [];
    this.#started = true;
    return hasSession ? [] : this.#encode([]);
  }

  #encode(source: SourceMessage[]): JsonRecord[] {
    const records = this.#dialect.encode(source.map(({ message }) => message));
    const [first] = records;
    const pending = this.#pending;
    if (first === undefined) {
      (pending?.source ?? this.#homeless).push(...source);
      return [];
    }
    const last = pending?.records.at(-1);
    const joined = last !== undefined && this.#dialect.joins(last, first);
    if (pending !== undefined && joined && (!this.#escrow || this.#keepsApart(pending.records, records))) {
      pending.source.push(...source);
      pending.records.push(...records);
      return [];
    }
    const done = this.#flush();
    this.#pending = { source: [...this.#homeless, ...source], records, needsSpan: joined };
    this.#homeless = [];
    return done;
  }

  /** Whether a reader who takes these for one unit finds the same messages in it. */
  #keepsApart(before: readonly JsonRecord[], after: readonly JsonRecord[]): boolean {
    const apart = [...this.#decode(before), ...this.#decode(after)];
    return differences(apart, this.#decode([...before, ...after])).length === 0;
  }

  #flush(): JsonRecord[] {
    const pending = this.#pending ?? { source: this.#homeless, records: [], needsSpan: false };
    this.#pending = undefined;
    this.#homeless = [];
    return this.#escrow && pending.records.length > 0 ? this.#seal(pending) : this.#settle(pending);
  }

  /** Reports what a reader of these records will not see. */
  #settle({ source, records }: Pending): JsonRecord[] {
    const back = cut(records, this.#dialect.joins).flatMap((unit) => this.#decode(unit));
    for (const loss of lossesBetween(source, back, this.#dialect)) this.#onLoss(loss);
    return records;
  }

  /** Puts into the first record what a reader would not see otherwise. */
  #seal({ source, records, needsSpan }: Pending): JsonRecord[] {
    const [first, ...rest] = records;
    if (first === undefined) return [];
    const messages = source.map(({ message }) => message);
    const escrow = makeEscrow(messages, this.#decode(records), records.length);
    const alone = !needsSpan && cut(records, this.#dialect.joins).length === 1;
    return alone && escrow.messages === undefined ? records : [{ ...first, [ESCROW]: escrow }, ...rest];
  }

  #decode(records: readonly JsonRecord[]): AgentMessage[] {
    return this.#dialect.decode(records).map(({ message }) => message);
  }
}
