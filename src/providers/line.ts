import { onAbort } from "../core/async/on-abort.js";
import { Watchdog } from "./watchdog.js";
import type { World } from "./world.js";

/** The signal of one call: it aborts when the caller's does, or when no content has come for too long. */
export class Line {
  readonly watchdog: Watchdog;
  readonly #controller = new AbortController();
  readonly #unlisten: () => void;
  #isHungUp = false;

  constructor(caller: AbortSignal | undefined, idleMs: number, world: World) {
    this.#unlisten = onAbort(caller, () => {
      this.#isHungUp = true;
      this.abort(caller?.reason);
    });
    this.watchdog = new Watchdog(idleMs, world, (error) => this.abort(error));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the caller has aborted. The signal itself takes as long to answer as a payload takes to be read. */
  get isHungUp(): boolean {
    return this.#isHungUp;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  /** Listens to nothing any more. The signal does not abort. */
  close(): void {
    this.watchdog.stop();
    this.#unlisten();
  }
}
