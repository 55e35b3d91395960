import type { Clock } from "../core/async/clock.js";
import { DragomanError } from "../core/error.js";

/**
 * Barks when it was not fed for a while. One timer serves the whole stream: a timer for each chunk would cost more than
 * reading it.
 */
export class Watchdog {
  readonly #idleMs: number;
  readonly #world: Pick<Clock, "now" | "after">;
  readonly #onStalled: (error: DragomanError) => void;
  /** Undefined while it is paused. */
  #fedAt: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(idleMs: number, world: Pick<Clock, "now" | "after">, bark: (error: DragomanError) => void) {
    this.#idleMs = idleMs;
    this.#world = world;
    this.#onStalled = bark;
  }

  /** The first time starts it. */
  feed(): void {
    this.#fedAt = this.#world.now();
    if (this.#cancel === undefined) this.#wait(this.#idleMs);
  }

  /** Keeps it quiet until it is fed again: who takes long over what has come must not be told that nothing came. */
  pause(): void {
    this.#fedAt = undefined;
  }

  /** Feeds it if it is paused. */
  resume(): void {
    if (this.#fedAt === undefined) this.feed();
  }

  stop(): void {
    this.#cancel?.();
  }

  #wait(ms: number): void {
    this.#cancel = this.#world.after(ms, () => {
      this.#cancel = undefined;
      if (this.#fedAt === undefined) return;
      const left = this.#fedAt + this.#idleMs - this.#world.now();
      if (left > 0) return this.#wait(left);
      this.#onStalled(
        new DragomanError("stream/stalled", `the provider sent no content for ${this.#idleMs / 1000} s`, {
          details: { retryable: true },
        }),
      );
    });
  }
}
