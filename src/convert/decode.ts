import type { Decoded, Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import type { AgentMessage } from "../core/types.js";
import { openEscrow, takeEscrow } from "./escrow.js";
import { placed, type SourceRecord } from "./read.js";

/** A message and the record it was read from. */
export interface SourceMessage {
  message: AgentMessage;
  origin: SourceRecord | undefined;
  /** Where in the record the message stands in the model's own shape, if it does. */
  base?: string;
  /** It is not on the branch that is written: it leaves no record, and travels in escrow. */
  offBranch?: boolean;
}

type Escrow = NonNullable<ReturnType<typeof takeEscrow>["escrow"]>;

/** Records to messages: groups them into units, decodes those, and takes what is in escrow into account. */
export class MessageDecoder {
  readonly #dialect: Dialect;
  readonly #onUnit: ((unit: readonly SourceRecord[]) => void) | undefined;
  readonly #onBad: ((error: DragomanError) => void) | undefined;
  #unit: SourceRecord[] = [];
  #escrow: Escrow | undefined;

  constructor(
    dialect: Dialect,
    options: {
      onUnit?: ((unit: readonly SourceRecord[]) => void) | undefined;
      onBad?: ((error: DragomanError) => void) | undefined;
    } = {},
  ) {
    this.#dialect = dialect;
    this.#onUnit = options.onUnit;
    this.#onBad = options.onBad;
  }

  push(source: SourceRecord): SourceMessage[] {
    const { record, escrow } = takeEscrow(source.value);
    const next = escrow === undefined ? source : { ...source, value: record };
    if (this.#unit.length === 0) {
      this.#begin(next, escrow);
      return [];
    }
    if (escrow === undefined && this.#belongs(next)) {
      this.#unit.push(next);
      return [];
    }
    const messages = this.finish();
    this.#begin(next, escrow);
    return messages;
  }

  finish(): SourceMessage[] {
    const unit = this.#unit;
    const escrow = this.#escrow;
    this.#unit = [];
    this.#escrow = undefined;
    if (unit.length === 0) return [];
    this.#onUnit?.(unit);
    try {
      const decoded = isBare(unit, escrow) ? [] : this.#dialect.decode(unit.map(({ value }) => value));
      const opened = escrow === undefined ? decoded : openEscrow(escrow, decoded);
      return opened.map((one) => sourceMessage(one, unit));
    } catch (error) {
      const known = placed(error, unit);
      if (this.#onBad === undefined || !(known instanceof DragomanError)) throw known;
      this.#onBad(known);
      return [];
    }
  }

  #begin(next: SourceRecord, escrow: Escrow | undefined): void {
    this.#unit = [next];
    this.#escrow = escrow;
  }

  #belongs(next: SourceRecord): boolean {
    if (this.#escrow !== undefined) return this.#unit.length < this.#escrow.span;
    const last = this.#unit.at(-1);
    return last !== undefined && this.#dialect.joins(last.value, next.value);
  }
}

/** Whether there was nothing but the escrow: a conversation of which the dialect can say nothing. */
function isBare([first]: readonly SourceRecord[], escrow: Escrow | undefined): boolean {
  return escrow !== undefined && first !== undefined && Object.keys(first.value).length === 0;
}

function sourceMessage({ message, record, base }: Decoded, unit: readonly SourceRecord[]): SourceMessage {
  const origin = unit[record];
  return base === undefined ? { message, origin } : { message, origin, base };
}
