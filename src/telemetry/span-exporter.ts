import { wordsOf } from "../core/error.js";
import type { World } from "../providers/world.js";
import { postBatch } from "./post-batch.js";
import type { Destination } from "./settings.js";
import { type OtlpSpan, type Sender, traceBody } from "./wire.js";

/** What waits to be sent is bounded twice: a span with messages can be large. */
const MAX_WAITING = 2048;
const MAX_WAITING_CHARACTERS = 32 * 2 ** 20;
const BATCH = 512;
const BATCH_CHARACTERS = 4 * 2 ** 20;
const RETRIES = 4;

export interface SpanExporterOptions {
  destination: Destination;
  sender: Sender;
  delayMs: number;
  world: World;
  onProblem(problem: string): void;
}

/** Sends spans in batches, in the background. What does not fit is dropped and counted; callers never wait. */
export class SpanExporter {
  readonly #options: SpanExporterOptions;
  readonly #stop = new AbortController();
  #waiting: string[] = [];
  #characters = 0;
  #cancelTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #isClosing = false;
  #hasFailed = false;
  dropped = 0;

  constructor(options: SpanExporterOptions) {
    this.#options = options;
  }

  add(span: OtlpSpan): void {
    const text = JSON.stringify(span);
    const isFull =
      this.#waiting.length >= MAX_WAITING || this.#characters + text.length > MAX_WAITING_CHARACTERS;
    if (isFull || this.#stop.signal.aborted) {
      this.dropped++;
      return;
    }
    this.#waiting.push(text);
    this.#characters += text.length;
    if (this.#waiting.length >= BATCH) this.#sendSoon(0);
    else this.#sendSoon(this.#options.delayMs);
  }

  /** Sends what is left, once and without retries, for at most this long. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosing = true;
    const cancel = this.#options.world.after(patienceMs, () => this.#stop.abort());
    try {
      await this.#send();
    } finally {
      cancel();
      this.#stop.abort();
      this.dropped += this.#waiting.length;
      this.#waiting = [];
    }
  }

  #sendSoon(delayMs: number): void {
    if (this.#sending !== undefined || this.#isClosing) return;
    if (delayMs > 0 && this.#cancelTimer !== undefined) return;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.world.after(delayMs, () => void this.#send());
  }

  #send(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0) this.#sendSoon(this.#options.delayMs);
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stop.signal.aborted) await this.#sendBatch(this.#nextBatch());
  }

  #nextBatch(): string[] {
    let count = 0;
    let characters = 0;
    for (const span of this.#waiting) {
      if (count === BATCH || (count > 0 && characters + span.length > BATCH_CHARACTERS)) break;
      characters += span.length;
      count++;
    }
    this.#characters -= characters;
    return this.#waiting.splice(0, count);
  }

  async #sendBatch(batch: readonly string[]): Promise<void> {
    const { destination, sender, world, onProblem } = this.#options;
    const maxRetries = this.#isClosing ? 0 : RETRIES;
    try {
      const body = traceBody(sender, batch);
      const refused = await postBatch(destination, body, { world, signal: this.#stop.signal, maxRetries });
      this.dropped += refused;
      if (refused > 0) onProblem(`the collector refused ${refused} of ${batch.length} spans`);
      this.#hasFailed = false;
    } catch (error) {
      this.dropped += batch.length;
      // A collector that is down is reported once, not for each batch.
      if (!this.#hasFailed) onProblem(`spans cannot be exported and are dropped: ${wordsOf(error)}`);
      this.#hasFailed = true;
    }
  }
}
