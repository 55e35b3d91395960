import type { Dialect } from "../core/dialect.js";
import type { Loss } from "../core/types.js";
import { MessageDecoder, type SourceMessage } from "./decode.js";
import { MessageEncoder, type UnitListener } from "./encode.js";
import { synthesisedIn } from "./ledger.js";
import { type RecordReader, recordReader, type SourceRecord } from "./read.js";
import { type RecordWriter, recordWriter } from "./write.js";

export interface PipeOptions {
  from: Dialect;
  to: Dialect;
  escrow?: boolean;
  onLoss?: (loss: Loss) => void;
  /** The places of the records that are not on the branch asked for. */
  otherBranches?: ReadonlySet<string>;
  onUnit?: UnitListener;
}

/**
 * Bytes of one dialect in, text of another out. Between line dialects it holds no more than one unit at a time.
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
  messages = 0;

  constructor(options: PipeOptions) {
    this.#options = options;
    this.#onLoss = options.onLoss ?? (() => undefined);
    this.#reader = recordReader(options.from.framing, { onLoss: this.#onLoss });
    this.#decoder = new MessageDecoder(options.from);
    this.#encoder = new MessageEncoder(options.to, {
      escrow: options.escrow ?? false,
      onLoss: this.#onLoss,
      onUnit: options.onUnit,
    });
    this.#writer = recordWriter(options.to.framing);
  }

  push(chunk: Uint8Array): string {
    return this.#records(this.#reader.push(chunk));
  }

  finish(): string {
    const rest = this.#records(this.#reader.finish());
    const last = this.#messages(this.#decoder.finish());
    return rest + last + this.#writer.push(this.#encoder.finish()) + this.#writer.finish();
  }

  #records(records: readonly SourceRecord[]): string {
    let text = "";
    for (const record of records) text += this.#messages(this.#decoder.push(record));
    return text;
  }

  #messages(messages: readonly SourceMessage[]): string {
    let text = "";
    for (const message of messages) {
      const wanted = this.#select(message);
      if (wanted === undefined) continue;
      this.messages++;
      text += this.#writer.push(this.#encoder.push(wanted));
    }
    return text;
  }

  #select(message: SourceMessage): SourceMessage | undefined {
    const { from, to, otherBranches, escrow } = this.#options;
    const at = message.origin?.at ?? "";
    if (otherBranches?.has(at) === true) {
      if (escrow === true) return { ...message, offBranch: true };
      const what = `the ${message.message.role} message`;
      this.#onLoss({ at, what, why: "it is on another branch", severity: "dropped" });
      return undefined;
    }
    if (from !== to) for (const loss of synthesisedIn(message, from)) this.#onLoss(loss);
    return message;
  }
}
