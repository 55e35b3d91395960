import { type Dialect, ESCROW, type JsonRecord } from "../core/dialect.js";
import { isObject } from "../core/json/value.js";
import { CallNames } from "../core/message/call-names.js";
import type { AgentMessage, Loss } from "../core/types.js";
import { differences } from "./compare.js";
import type { SourceMessage } from "./decode.js";
import { makeEscrow, unsealed, withoutField } from "./escrow.js";
import { hiddenMessages } from "./hidden.js";
import { lossesBetween, neutralValues, partnersOf, type WrittenMessage } from "./ledger.js";
import { cut, Grouper, lastLink } from "./units.js";
import { WrittenIds } from "./written-ids.js";

interface Pending {
  source: SourceMessage[];
  records: JsonRecord[];
  /** The record before them that they can refer to. */
  before: JsonRecord | undefined;
  /** A reader would join these records to the unit before them, and then read something else. */
  needsSpan: boolean;
}

/** Records without escrow that a reader has read, but not yet decoded. */
interface OpenUnit {
  records: readonly JsonRecord[];
  before: JsonRecord | undefined;
}

/** Longer open units are closed with escrow, because each check for one decodes all of it. */
const LONGEST_CHECKED = 100;

type Decode = Dialect["decode"];

/** Called with each unit's messages and the records they became. */
export type UnitListener = (source: readonly SourceMessage[], records: readonly JsonRecord[]) => void;

interface EncodeOptions {
  escrow: boolean;
  /** Whether the source has the same dialect. Then a message that its program does not show is not a loss. */
  isSame?: boolean;
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
  readonly #ids: WrittenIds;
  #pending: Pending | undefined;
  /** Messages without a record of their own, and with no record before them to carry them. */
  #unwritten: SourceMessage[] = [];
  #started = false;
  #last: JsonRecord | undefined;
  #open: OpenUnit = { records: [], before: undefined };
  /** In a document: the ids of messages without a record. */
  readonly #unwrittenIds = new Set<string | undefined>();

  constructor(dialect: Dialect, options: EncodeOptions) {
    this.#dialect = dialect;
    this.#options = options;
    this.#ids = new WrittenIds(dialect);
    this.#grouper = new Grouper((last, next, first) =>
      dialect.joinsMessage(last.message, next.message, first.message),
    );
  }

  push(next: SourceMessage): JsonRecord[] {
    if (next.unwritten === true) {
      if (!this.#grouper.attach(next)) this.#addUnwritten([next]);
      return [];
    }
    const prologue = this.#start(next.message);
    const unit = this.#grouper.push(next);
    if (unit === undefined) return prologue;
    const records = this.#encode(unit, next.message);
    return prologue.length === 0 ? records : [...prologue, ...records];
  }

  finish(): JsonRecord[] {
    const prologue = this.#start();
    const unit = this.#grouper.finish();
    const records = unit === undefined ? [] : this.#encode(unit);
    const last = this.#pending ?? {
      source: this.#unwritten,
      records: [],
      before: this.#last,
      needsSpan: false,
    };
    return [...prologue, ...records, ...this.#flush(last)];
  }

  /** Whether a record can name the message with this id. In a file of lines, it always can. */
  hasRecordOf(id: string): boolean {
    return !this.#unwrittenIds.has(id);
  }

  #start(first?: AgentMessage): JsonRecord[] {
    if (this.#started) return [];
    this.#started = true;
    return first?.role === "session" ? [] : this.#encode([], first);
  }

  #encode(source: SourceMessage[], next?: AgentMessage): JsonRecord[] {
    const written: AgentMessage[] = [];
    for (const { message, written: form = message, unwritten } of source) {
      if (unwritten !== true) written.push(form);
    }
    const before = this.#last;
    const encode = (unit: readonly AgentMessage[]) => {
      // Not `map`: arrays of a conversion have one kind (decision 410).
      const records: JsonRecord[] = [];
      for (const record of this.#dialect.encode(unit, next, before)) records.push(unsealed(record));
      return records;
    };
    const records = this.#ids.encode(written, encode);
    this.#last = lastLink(records, before, this.#dialect);
    const pending = this.#pending;
    if (records.length === 0) {
      if (this.#dialect.framing.kind === "document") {
        for (const { message } of source) this.#unwrittenIds.add(message.id);
      }
      this.#addUnwritten(source);
      return [];
    }
    if (pending !== undefined && !this.#options.escrow && this.#isJoined(pending.records, records)) {
      for (const one of source) pending.source.push(one);
      for (const record of records) pending.records.push(record);
      return [];
    }
    const done = pending === undefined ? [] : this.#flush(pending);
    const needsSpan = this.#isJoined(this.#open.records, records) && !this.#keepsApart(records, before);
    this.#pending = { source, records, before, needsSpan };
    if (this.#unwritten.length === 0) return done;
    this.#pending.source = [...this.#unwritten, ...source];
    this.#unwritten = [];
    return done;
  }

  /** Whether a reader joins `next` to the unit of `records`. */
  #isJoined(records: readonly JsonRecord[], next: readonly JsonRecord[]): boolean {
    const first = records[0];
    const last = records[records.length - 1];
    const following = next[0];
    if (first === undefined || last === undefined || following === undefined) return false;
    return this.#dialect.joins(last, following, first);
  }

  /** Whether a reader who joins these to the open unit still finds the same messages. */
  #keepsApart(records: readonly JsonRecord[], before: JsonRecord | undefined): boolean {
    const { records: open, before: beforeOpen } = this.#open;
    if (open.length + records.length > LONGEST_CHECKED) return false;
    const apart = [...this.#decode(open, beforeOpen), ...this.#decode(records, before)];
    return differences(apart, this.#decode([...open, ...records], beforeOpen)).length === 0;
  }

  /** Whether a reader who splits these into several units still finds the same messages. */
  #readsAlike({ records, before }: Pending): boolean {
    if (cut(records, this.#dialect.joins).length === 1) return true;
    const apart = this.#readUnits(records, before, this.#dialect.decode).map(({ message }) => message);
    return differences(this.#decode(records, before), apart).length === 0;
  }

  #addUnwritten(source: readonly SourceMessage[]): void {
    const keeper = this.#pending?.source ?? this.#unwritten;
    for (const one of source) keeper.push(one);
  }

  #flush(pending: Pending): JsonRecord[] {
    const isEmpty = pending.records.length === 0 && pending.source.length === 0;
    const isSealing = this.#options.escrow && !isEmpty;
    const records = isSealing ? this.#seal(pending) : this.#reportLosses(pending);
    if (isSealing) this.#open = this.#openAfter(pending, records);
    this.#options.onUnit?.(pending.source, records);
    return records;
  }

  #openAfter({ records, before }: Pending, written: readonly JsonRecord[]): OpenUnit {
    if (written !== records) return { records: [], before: undefined };
    if (!this.#isJoined(this.#open.records, records)) return { records, before };
    return { ...this.#open, records: [...this.#open.records, ...records] };
  }

  /** Reports the differences a reader of these records will see. */
  #reportLosses({ source, records, before }: Pending): JsonRecord[] {
    const { decode, decodeWritten = decode } = this.#dialect;
    let needsNotes = false;
    for (const { message } of source) needsNotes ||= canHaveNotes(message, this.#dialect);
    const back = this.#readUnits(records, before, needsNotes ? decode : decodeWritten);
    const messages: AgentMessage[] = [];
    for (const { message } of back) messages.push(message);
    const partners = partnersOf(source, messages, this.#dialect);
    for (const loss of lossesBetween(source, messages, this.#dialect, partners)) this.#options.onLoss(loss);
    for (const loss of neutralValues(source, back, this.#dialect, partners)) this.#options.onLoss(loss);
    if (this.#options.isSame === true) return records;
    for (const loss of hiddenMessages(source, back, this.#dialect, partners)) this.#options.onLoss(loss);
    return records;
  }

  /**
   * Puts what the records cannot represent into the first one. That field is the whole record if the dialect can
   * represent none of the conversation.
   */
  #seal(pending: Pending): JsonRecord[] {
    const { source, records, needsSpan } = pending;
    const [first = {}, ...rest] = records;
    const messages = source.map(({ message }) => message);
    const back = this.#readBack(records, pending.before, this.#dialect.decode);
    for (const loss of neutralValues(source, back, this.#dialect)) this.#options.onLoss(loss);
    const decoded = back.map(({ message }) => message);
    const escrow = makeEscrow(messages, decoded, { dialect: this.#dialect.name, span: 1 + rest.length });
    if (escrow.messages === undefined && !needsSpan && this.#readsAlike(pending)) return records;
    // The source's own field of that name is moved into the escrow.
    if (Object.hasOwn(first, ESCROW)) {
      return this.#seal({ ...pending, records: [withoutField(first), ...rest] });
    }
    return [{ ...first, [ESCROW]: escrow }, ...rest];
  }

  /** The messages of records as a reader splits them into units. */
  #readUnits(
    records: readonly JsonRecord[],
    before: JsonRecord | undefined,
    decode: Decode,
  ): WrittenMessage[] {
    if (records.length === 1) return this.#readBack(records, before, decode);
    const messages: WrittenMessage[] = [];
    let last = before;
    for (const unit of cut(records, this.#dialect.joins)) {
      for (const message of this.#readBack(unit, last, decode)) messages.push(message);
      last = lastLink(unit, last, this.#dialect);
    }
    return messages;
  }

  #readBack(
    records: readonly JsonRecord[],
    before: JsonRecord | undefined,
    decode: Decode,
  ): WrittenMessage[] {
    const messages: WrittenMessage[] = [];
    for (const { message, record, base } of decode(records, before)) {
      messages.push({ message: this.#names.complete(message), record: records[record], base });
    }
    return messages;
  }

  #decode(records: readonly JsonRecord[], before: JsonRecord | undefined): AgentMessage[] {
    return this.#dialect.decode(records, before).map(({ message }) => message);
  }
}

/**
 * Whether a message can have notes of the target: then they are read back and compared. A session and a compaction always
 * can, the latter in its history.
 */
function canHaveNotes(message: AgentMessage, { name }: Dialect): boolean {
  if (message.role === "session" || message.role === "compaction" || message.ext?.[name] !== undefined)
    return true;
  const content: unknown = Reflect.get(message, "content");
  if (!Array.isArray(content)) return false;
  for (const block of content)
    if (isObject(block) && isObject(block["ext"]) && name in block["ext"]) return true;
  return false;
}
