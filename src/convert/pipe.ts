import type { Dialect, RecordWriter } from "../core/dialect.js";
import { leafNote } from "../core/message/notes.js";
import type { AgentMessage, Loss, SessionMessage } from "../core/types.js";
import type { Branch } from "./branch-finder.js";
import { MessageDecoder, type SourceMessage } from "./decode.js";
import { MessageEncoder, type UnitListener } from "./encode.js";
import type { KeptMessages } from "./kept.js";
import { isLeafNote, LeafTracker } from "./leaf.js";
import { PendingResults } from "./pending.js";
import { type RecordReader, recordReader, type SourceRecord, type TextStart } from "./read.js";
import { type RolledBack, rolledBackNote, withoutRolledBackNote } from "./rollback.js";
import { recordWriter } from "./write.js";

export interface PipeOptions {
  from: Dialect;
  to: Dialect;
  escrow?: boolean;
  /** Called with each piece of the output. */
  onText?: (text: string) => void;
  onLoss?: (loss: Loss) => void;
  /** Default: all branches. */
  branch?: Pick<Branch, "isOff">;
  /** The numbers of the messages whose turns were taken back (default: none). */
  rolledBack?: RolledBack;
  /** The messages that compactions keep, for a target that must contain them (default: none). */
  kept?: KeptMessages | undefined;
  onUnit?: UnitListener;
  /** Where the source starts in the file that it was cut out of, for places. */
  start?: TextStart | undefined;
  /** The session to write instead of the source's, which may have none. */
  session?: (source: SessionMessage | undefined) => SessionMessage;
  /** The message to write instead of one of the source's, if any; not called with the session. */
  rewrite?: (message: AgentMessage) => AgentMessage | undefined;
}

/**
 * Bytes of one dialect in, text of another out. Between line dialects it keeps only one unit in memory.
 *
 *     bytes ─ read ─▶ records ─ decode ─▶ messages ─ encode ─▶ records ─ write ─▶ text
 */
export class Pipe {
  readonly #reader: RecordReader;
  readonly #decoder: MessageDecoder;
  readonly #encoder: MessageEncoder;
  readonly #writer: RecordWriter;
  readonly #options: PipeOptions;
  readonly #onLoss: (loss: Loss) => void;
  readonly #pending: PendingResults;
  /** The leaf for readers of the source, and for readers of the target. */
  readonly #leaves: { from: LeafTracker; to: LeafTracker } | undefined;
  /** The number of messages read. */
  #read = 0;
  /** The number of messages of the output, without its session. */
  messages = 0;
  #hasSession = false;

  constructor(options: PipeOptions) {
    this.#options = options;
    this.#onLoss = options.onLoss ?? (() => undefined);
    // Escrow carries them, so nothing is lost.
    const onPending = options.escrow === true ? () => undefined : this.#onLoss;
    this.#pending = new PendingResults(options.from, options.to, onPending);
    this.#reader = recordReader(options.from.framing, { onLoss: this.#onLoss, start: options.start });
    this.#decoder = new MessageDecoder(options.from);
    this.#encoder = new MessageEncoder(options.to, {
      escrow: options.escrow ?? false,
      isSame: options.from === options.to,
      onLoss: this.#onLoss,
      onUnit: options.onUnit,
    });
    this.#writer = recordWriter(options.to.framing);
    const { from, to, branch } = options;
    const isTree = from !== to && from.branches && to.branches && branch === undefined;
    if (isTree) this.#leaves = { from: new LeafTracker(from), to: new LeafTracker(to) };
  }

  push(chunk: Uint8Array): void {
    this.#pushRecords(this.#reader.push(chunk));
  }

  finish(): void {
    this.#pushRecords(this.#reader.finish());
    this.#pushMessages(this.#decoder.finish());
    this.#pushLeaf();
    this.#pending.finish();
    this.#write(this.#writer.push(this.#encoder.finish()));
    this.#write(this.#writer.finish());
  }

  #pushRecords(records: Iterable<SourceRecord>): void {
    for (const record of records) this.#pushMessages(this.#decoder.push(record));
  }

  #pushMessages(messages: readonly SourceMessage[]): void {
    for (const message of messages) {
      this.#leaves?.from.add(message.message);
      this.#reportLosses(message);
      const wanted = this.#select(this.#markRolledBack(message));
      if (wanted === undefined) continue;
      if (message.message.role !== "session") this.messages++;
      this.#leaves?.to.add(message.message);
      const { kept } = this.#options;
      const isKept = kept !== undefined && wanted.unwritten !== true;
      for (const one of this.#rewritten(isKept ? kept.add(wanted) : wanted)) {
        this.#write(this.#writer.push(this.#encoder.push(one)));
      }
    }
  }

  #rewritten(source: SourceMessage): SourceMessage[] {
    const { session, rewrite } = this.#options;
    if (session === undefined && rewrite === undefined) return [source];
    const { message, written: form } = source;
    const isFirst = session !== undefined && !this.#hasSession;
    this.#hasSession = true;
    if (isFirst && message.role === "session")
      return [{ ...source, message: session(message), changed: true }];
    const own = rewrite === undefined ? message : rewrite(message);
    const ownForm = form && rewrite ? rewrite(form) : form;
    const written =
      own === undefined ? [] : [{ ...source, message: own, ...(ownForm && { written: ownForm }) }];
    return isFirst ? [{ message: session(undefined), origin: undefined, made: true }, ...written] : written;
  }

  #markRolledBack(source: SourceMessage): SourceMessage {
    const { from, to, rolledBack } = this.#options;
    const number = this.#read++;
    if (rolledBack?.has(number) === true) return rolledBackNote(source);
    return from !== to && to.rollback !== undefined ? withoutRolledBackNote(source) : source;
  }

  #reportLosses({ message, origin }: SourceMessage): void {
    const { from, to, escrow } = this.#options;
    if (from === to) return;
    for (const loss of from.lossesOf?.(message) ?? []) {
      const isCarried = escrow === true && loss.severity === "approximated";
      if (!isCarried) this.#onLoss({ at: origin?.at ?? "", ...loss });
    }
  }

  /** Names the leaf if readers of the target would find another one. */
  #pushLeaf(): void {
    const { id, timestamp = 0 } = this.#leaves?.from ?? {};
    if (id === undefined || id === this.#leaves?.to.id) return;
    const unwritten = !this.#encoder.hasRecordOf(id);
    if (unwritten && this.#options.escrow !== true) return;
    const note = { message: leafNote(id, timestamp), origin: undefined, made: true, unwritten };
    this.#write(this.#writer.push(this.#encoder.push(note)));
  }

  #write(texts: readonly string[]): void {
    for (const text of texts) this.#options.onText?.(text);
  }

  #select(message: SourceMessage): SourceMessage | undefined {
    const { branch, escrow } = this.#options;
    if (isLeafNote(message.message)) return this.#selectLeafNote(message);
    const at = message.origin?.at ?? "";
    const place = message.origin?.index ?? Number.NaN;
    const isOff = message.message.parentId !== undefined && branch?.isOff(place) === true;
    const isPending = !isOff && this.#pending.intercept(message);
    if (!isOff && !isPending) return message;
    if (escrow === true) return { ...message, unwritten: true };
    if (isOff) {
      const what = `the ${message.message.role} message`;
      this.#onLoss({ at, what, why: "it is on another branch", severity: "dropped", of: "message" });
    }
    return undefined;
  }

  /** Between dialects with branches it is written again if the target needs it. */
  #selectLeafNote(message: SourceMessage): SourceMessage | undefined {
    const { from, to, escrow } = this.#options;
    if (this.#leaves !== undefined) return undefined;
    if (from === to || to.branches) return message;
    return escrow === true ? { ...message, unwritten: true } : undefined;
  }
}
