import { onAbort } from "../core/async/on-abort.js";
import { Watchdog } from "./watchdog.js";
import type { World } from "./world.js";

/** The signal of one call: it aborts when the caller's does, or when no content has come for too long. */
export class CallControl {
  readonly watchdog: Watchdog;
  readonly #controller = new AbortController();
  readonly #unlisten: () => void;
  #isAbortedByCaller = false;

  constructor(caller: AbortSignal | undefined, idleMs: number, world: World) {
    this.#unlisten = onAbort(caller, () => {
      this.#isAbortedByCaller = true;
      this.abort(caller?.reason);
    });
    this.watchdog = new Watchdog(idleMs, world, (error) => this.abort(error));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the caller has aborted. The signal itself takes as long to answer as a payload takes to be read. */
  get isAbortedByCaller(): boolean {
    return this.#isAbortedByCaller;
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
