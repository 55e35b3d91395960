import type { Clock } from "../core/async/clock.js";
import { DragomanError } from "../core/error.js";

/**
 * Reports a stall if it is not fed for a while. It uses one timer for the whole stream: a timer per chunk would cost more
 * than reading the chunk.
 */
export class Watchdog {
  readonly #idleMs: number;
  readonly #world: Pick<Clock, "now" | "after">;
  readonly #onStalled: (error: DragomanError) => void;
  /** Undefined while it is paused. */
  #fedAt: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(
    idleMs: number,
    world: Pick<Clock, "now" | "after">,
    onStalled: (error: DragomanError) => void,
  ) {
    this.#idleMs = idleMs;
    this.#world = world;
    this.#onStalled = onStalled;
  }

  /** Restarts the idle time; the first call starts the timer. */
  feed(): void {
    this.#fedAt = this.#world.now();
    if (this.#cancel === undefined) this.#wait(this.#idleMs);
  }

  /** Suspends it until the next `feed`: a caller that is slow to process content is not a stall. */
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
