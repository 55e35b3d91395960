import { DragomanError } from "../core/error.js";
import type { World } from "./world.js";

/**
 * Barks when it was not fed for a while. One timer serves the whole stream: a timer for each chunk would cost more than
 * reading it.
 */
export class Watchdog {
  readonly #idleMs: number;
  readonly #world: Pick<World, "now" | "after">;
  readonly #bark: (error: DragomanError) => void;
  #fedAt = 0;
  #cancel: (() => void) | undefined;

  constructor(idleMs: number, world: Pick<World, "now" | "after">, bark: (error: DragomanError) => void) {
    this.#idleMs = idleMs;
    this.#world = world;
    this.#bark = bark;
  }

  start(): void {
    this.feed();
    this.#wait(this.#idleMs);
  }

  feed(): void {
    this.#fedAt = this.#world.now();
  }

  stop(): void {
    this.#cancel?.();
  }

  #wait(ms: number): void {
    this.#cancel = this.#world.after(ms, () => {
      const left = this.#fedAt + this.#idleMs - this.#world.now();
      if (left > 0) return this.#wait(left);
      this.#bark(
        new DragomanError("stream/stalled", `the provider sent no content for ${this.#idleMs / 1000} s`, {
          details: { retryable: true },
        }),
      );
    });
  }
}
