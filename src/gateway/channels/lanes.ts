import type { Clock } from "../../core/async/clock.js";

/** Runs jobs of one lane in order, one at a time; different lanes run concurrently. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether a lane has running or queued jobs. */
  busy(lane: string): boolean {
    return this.#last.has(lane);
  }

  /** Runs a job after the earlier jobs of its lane, and resolves with its result. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(lane);
    const result = before === undefined ? work() : before.then(work);
    const done = result.then(
      () => undefined,
      // The caller gets the rejection; later jobs run anyway.
      () => undefined,
    );
    this.#last.set(lane, done);
    void done.then(() => {
      if (this.#last.get(lane) === done) this.#last.delete(lane);
    });
    return result;
  }

  /** Resolves when all lanes are empty. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }

  /** The same, with a time limit. */
  async idleWithin({ after }: Pick<Clock, "after">, ms: number): Promise<void> {
    let cancel: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => {
      cancel = after(ms, resolve);
    });
    await Promise.race([this.idle(), passed]);
    cancel();
  }
}
