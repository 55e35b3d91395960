import { Worker } from "node:worker_threads";
import type { Equipment, Job, Report } from "./worker.js";

export interface CrewOptions {
  root: string;
  /** The compiled worker. */
  program: URL;
  size: number;
  /** How long one run may take. */
  limitMs: number;
  onReport: (job: Job, report: Report) => void;
  /** A worker hung or died in the run with that number. */
  onLost: (job: Job, index: number, why: string) => Promise<void>;
}

const MOST_MEMORY_MB = 1500;

/** Runs all jobs with `size` workers. A worker that hangs or dies is replaced, and its job continues without that run. */
export async function doJobs(jobs: readonly Job[], options: CrewOptions): Promise<void> {
  const queue = [...jobs];
  const lane = async () => {
    let hand = new Hand(options);
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const end = await hand.do(job);
      if (typeof end !== "string") {
        options.onReport(job, end);
        continue;
      }
      await hand.dismiss();
      await options.onLost(job, hand.index, end);
      queue.unshift({ ...job, skip: [...job.skip, hand.index] });
      hand = new Hand(options);
    }
    await hand.dismiss();
  };
  await Promise.all(Array.from({ length: options.size }, lane));
}

class Hand {
  readonly #pulse = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  readonly #limitMs: number;
  #end: (end: Report | string) => void = () => undefined;

  constructor({ program, root, limitMs }: CrewOptions) {
    this.#limitMs = limitMs;
    const workerData: Equipment = { root, pulse: this.#pulse };
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY_MB };
    this.#worker = new Worker(program, { workerData, resourceLimits, execArgv: [] })
      .on("message", (report: Report) => this.#end(report))
      .on("error", (error) => this.#end(`the worker failed: ${error.message}`))
      .on("exit", (code) => this.#end(`the worker ended with code ${code}`));
  }

  /** The current run. */
  get index(): number {
    return Atomics.load(this.#pulse, 0);
  }

  /** Its report, or how it ended. */
  async do(job: Job): Promise<Report | string> {
    const end = new Promise<Report | string>((resolve) => {
      this.#end = resolve;
    });
    let beats = -1;
    const watch = setInterval(() => {
      const last = beats;
      beats = Atomics.load(this.#pulse, 1);
      if (beats === last) this.#end(`no end after ${this.#limitMs / 1000} s`);
    }, this.#limitMs);
    this.#worker.postMessage(job);
    try {
      return await end;
    } finally {
      clearInterval(watch);
    }
  }

  async dismiss(): Promise<void> {
    await this.#worker.terminate();
  }
}
