import type { Clock } from "../../core/async/clock.js";

/** Work in order where order matters, and at the same time where it does not: one thing after another in each lane. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether something is under way in a lane. */
  busy(lane: string): boolean {
    return this.#last.has(lane);
  }

  /** Fulfilled with what the work gives, when all that was asked for before it in the same lane is done. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(lane);
    const result = before === undefined ? work() : before.then(work);
    const done = result.then(
      () => undefined,
      // Whoever asked for it is told; what follows it in the lane does not depend on it.
      () => undefined,
    );
    this.#last.set(lane, done);
    void done.then(() => {
      if (this.#last.get(lane) === done) this.#last.delete(lane);
    });
    return result;
  }

  /** Fulfilled when nothing is under way in any lane. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }

  /** The same, or when so much time has passed. */
  async idleWithin({ after }: Pick<Clock, "after">, ms: number): Promise<void> {
    let cancel: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => {
      cancel = after(ms, resolve);
    });
    await Promise.race([this.idle(), passed]);
    cancel();
  }
}
