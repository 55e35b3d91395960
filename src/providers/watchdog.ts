import { DragomanError } from "../core/error.js";
import type { World } from "./world.js";

/** How much longer a provider is waited for that has no content yet, but says that it is at work. */
const PATIENCE = 5;

/**
 * Barks when it was not fed for a while. Pings, and the status of a tool that the provider runs, calm it, but do not feed it:
 * models think and search for minutes, and a provider that has lost an answer may ping for ever. One timer serves the
 * whole stream: a timer for each chunk would cost more than reading it.
 */
export class Watchdog {
  readonly #idleMs: number;
  readonly #world: Pick<World, "now" | "after">;
  readonly #bark: (error: DragomanError) => void;
  #fedAt = 0;
  #calmedAt = 0;
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

  /** There is content. */
  feed(): void {
    this.#fedAt = this.#world.now();
    this.#calmedAt = this.#fedAt;
  }

  /** There is a word of the provider, but no content. */
  calm(): void {
    this.#calmedAt = this.#world.now();
  }

  stop(): void {
    this.#cancel?.();
  }

  #wait(ms: number): void {
    this.#cancel = this.#world.after(ms, () => {
      const hungryAt = this.#fedAt + PATIENCE * this.#idleMs;
      const left = Math.min(this.#calmedAt + this.#idleMs, hungryAt) - this.#world.now();
      if (left > 0) return this.#wait(left);
      const ms = this.#world.now() < hungryAt ? this.#idleMs : PATIENCE * this.#idleMs;
      this.#bark(
        new DragomanError("stream/stalled", `the provider sent no content for ${ms / 1000} s`, {
          details: { retryable: true },
        }),
      );
    });
  }
}
