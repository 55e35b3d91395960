import { wordsOf } from "../core/error.js";
import type { World } from "../providers/world.js";
import type { Histograms } from "./histograms.js";
import { postBatch } from "./post-batch.js";
import type { Destination } from "./settings.js";
import { metricBody, type Sender } from "./wire.js";

export interface MetricExporterOptions {
  destination: Destination;
  sender: Sender;
  intervalMs: number;
  histograms: Histograms;
  world: World;
  onProblem(problem: string): void;
}

/** Sends the histograms regularly. A report that fails is not repeated: the next one contains it. */
export class MetricExporter {
  readonly #options: MetricExporterOptions;
  readonly #stop = new AbortController();
  #cancelTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #hasFailed = false;

  constructor(options: MetricExporterOptions) {
    this.#options = options;
  }

  /** From the first value on: a process that calls no model sends nothing. */
  start(): void {
    if (this.#stop.signal.aborted) return;
    const { world, intervalMs } = this.#options;
    this.#cancelTimer ??= world.after(intervalMs, () => {
      this.#cancelTimer = undefined;
      void this.#send();
      this.start();
    });
  }

  /** Sends a last report, for at most this long. */
  async close(patienceMs: number): Promise<void> {
    this.#cancelTimer?.();
    const cancel = this.#options.world.after(patienceMs, () => this.#stop.abort());
    try {
      await this.#sending;
      await this.#send();
    } finally {
      cancel();
      this.#stop.abort();
    }
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendOnce().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendOnce(): Promise<void> {
    const { destination, sender, histograms, world, onProblem } = this.#options;
    const metrics = histograms.metrics();
    if (metrics.length === 0) return;
    try {
      const body = metricBody(sender, metrics);
      await postBatch(destination, body, { world, signal: this.#stop.signal, maxRetries: 0 });
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) onProblem(`metrics cannot be exported: ${wordsOf(error)}`);
      this.#hasFailed = true;
    }
  }
}
