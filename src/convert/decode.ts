import type { Decoded, Dialect, JsonRecord } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { CallNames } from "../core/message/call-names.js";
import type { AgentMessage } from "../core/types.js";
import { type Escrow, extractEscrow, openEscrow, requireUnit } from "./escrow.js";
import { placed, type SourceRecord } from "./read.js";
import { lastLink } from "./units.js";

/** A message and the record it was read from. */
export interface SourceMessage {
  message: AgentMessage;
  origin: SourceRecord | undefined;
  /** The pointer in the record at which the message has our own shape, if there is one. */
  base?: string;
  /** The message to write instead, with the same content in the form that the target has. */
  written?: AgentMessage;
  /** It gets no record and travels in escrow: it is on another branch, or is a pending result the target cannot mark. */
  unwritten?: boolean;
  /** The converter made it, so that nothing of it can be lost. */
  made?: boolean;
  /** The converter changed it, so that the target may have notes on it that the source lacks. */
  changed?: boolean;
}

export interface DecodeOptions {
  /** Called with each decoded unit and its messages. */
  onUnit?: (unit: readonly SourceRecord[], messages: readonly SourceMessage[]) => void;
  /**
   * Called with records that cannot be decoded and are skipped; without it, decoding throws. The other records of a unit
   * with a bad one are decoded separately. The error's `at` points into the unit.
   */
  onBad?: (error: DragomanError, unit: readonly SourceRecord[]) => void;
  /** Whether only the tree of messages is needed (`Dialect.skim`). */
  skims?: boolean;
}

/** Records to messages: groups records into units, decodes each unit and applies its escrow. */
export class MessageDecoder {
  readonly #dialect: Dialect;
  readonly #options: DecodeOptions;
  readonly #names = new CallNames();
  #unit: SourceRecord[] = [];
  #escrow: Escrow | undefined;
  #last: JsonRecord | undefined;

  constructor(dialect: Dialect, options: DecodeOptions = {}) {
    this.#dialect = dialect;
    this.#options = options;
  }

  push(source: SourceRecord): SourceMessage[] {
    let extracted: ReturnType<typeof extractEscrow>;
    try {
      extracted = extractEscrow(source.value);
    } catch (error) {
      const messages = this.finish();
      this.#refuse(error, [source]);
      return messages;
    }
    const { record, escrow } = extracted;
    const next = escrow === undefined ? source : { ...source, value: record };
    if (escrow === undefined && this.#belongs(next)) {
      this.#unit.push(next);
      return [];
    }
    const messages = this.finish();
    this.#unit = [next];
    this.#escrow = escrow;
    return messages;
  }

  finish(): SourceMessage[] {
    const unit = this.#unit;
    const escrow = this.#escrow;
    this.#unit = [];
    this.#escrow = undefined;
    return unit.length === 0 ? [] : this.#decode(unit, escrow);
  }

  /** The messages of the unit so far; later records may add to them. None if the unit has escrow or cannot be decoded yet. */
  pending(): AgentMessage[] {
    if (this.#unit.length === 0 || this.#escrow !== undefined) return [];
    const values = this.#unit.map(({ value }) => value);
    try {
      return this.#dialect.decode(values, this.#last).map(({ message }) => this.#names.complete(message));
    } catch (error) {
      if (error instanceof DragomanError) return [];
      throw error;
    }
  }

  #decode(unit: readonly SourceRecord[], escrow: Escrow | undefined): SourceMessage[] {
    try {
      if (escrow !== undefined) requireUnit(escrow, this.#dialect.name, unit.length);
      // Not `map`: arrays of a conversion have one kind (decision 410).
      const values: JsonRecord[] = [];
      for (const { value } of unit) values.push(value);
      const decoded = isBare(unit, escrow) ? [] : this.#read(values, escrow !== undefined);
      // Before the escrow is opened: it was made for complete messages.
      for (const one of decoded) one.message = this.#names.complete(one.message);
      const opened = escrow === undefined ? decoded : openEscrow(escrow, decoded);
      // After the escrow is opened: the records that follow cannot refer to a refused unit.
      this.#last = lastLink(values, this.#last, this.#dialect);
      const messages: SourceMessage[] = [];
      for (const one of opened) messages.push(sourceMessage(one, unit));
      this.#options.onUnit?.(unit, messages);
      return messages;
    } catch (error) {
      if (escrow !== undefined && isBadEscrow(error)) return this.#refuseFirst(error, unit);
      const canSplit = unit.length > 1 && escrow === undefined && error instanceof DragomanError;
      if (canSplit && this.#options.onBad !== undefined) {
        return unit.flatMap((record) => this.#decode([record], undefined));
      }
      this.#refuse(error, unit);
      return [];
    }
  }

  /** Escrow restores complete messages. */
  #read(values: readonly JsonRecord[], hasEscrow: boolean): Decoded[] {
    const { decode, skim } = this.#dialect;
    const read = this.#options.skims === true && !hasEscrow && skim !== undefined ? skim : decode;
    return read(values, this.#last);
  }

  /** An escrow that does not fit spoils its own record; it is unknown which other records it belongs to. */
  #refuseFirst(error: unknown, unit: readonly SourceRecord[]): SourceMessage[] {
    this.#refuse(error, unit.slice(0, 1));
    const messages = unit.slice(1).flatMap((record) => this.push(record));
    return [...messages, ...this.finish()];
  }

  #refuse(error: unknown, unit: readonly SourceRecord[]): void {
    const { onBad } = this.#options;
    if (onBad === undefined || !(error instanceof DragomanError)) throw placed(error, unit);
    onBad(error, unit);
  }

  #belongs(next: SourceRecord): boolean {
    if (this.#escrow !== undefined) return this.#unit.length < this.#escrow.span;
    const [first] = this.#unit;
    const last = this.#unit.at(-1);
    if (first === undefined || last === undefined) return false;
    return this.#dialect.joins(last.value, next.value, first.value);
  }
}

function isBadEscrow(error: unknown): boolean {
  return error instanceof DragomanError && error.code === "convert/bad-escrow";
}

/** Whether the record is nothing but escrow: the dialect can represent none of the conversation. */
function isBare([first]: readonly SourceRecord[], escrow: Escrow | undefined): boolean {
  return escrow !== undefined && first !== undefined && Object.keys(first.value).length === 0;
}

function sourceMessage({ message, record, base }: Decoded, unit: readonly SourceRecord[]): SourceMessage {
  const origin = unit[record];
  return base === undefined ? { message, origin } : { message, origin, base };
}
