import type { Clock } from "../../src/core/async/clock.js";

/** Time that passes when the test says so, and chance that always falls in the middle. */
export class SteppedWorld implements Clock {
  #now: number;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  readonly now = () => this.#now;
  readonly random = () => 0.5;

  readonly after = (ms: number, callback: () => void) => {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** How many wait for their time. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Lets time pass; what comes due is called in its order, at its time. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }

  /** Lets time pass until something is done. */
  async until(done: Promise<unknown>): Promise<void> {
    let isDone = false;
    void done.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      this.pass(1);
    }
  }
}
