import { ended } from "../core/async/ended.js";
import { onAbort } from "../core/async/on-abort.js";
import { Watchdog } from "./watchdog.js";
import type { World } from "./world.js";

/** The signal of one call: it aborts when the caller's signal does, or when no content arrives for too long. */
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

  /** Whether the caller has aborted. Reading this from the signal would cost as much as reading a payload. */
  get isAbortedByCaller(): boolean {
    return this.#isAbortedByCaller;
  }

  abort(reason: unknown = ended): void {
    this.#controller.abort(reason);
  }

  /** Makes one attempt at the request. The watchdog does not run between attempts. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    this.watchdog.feed();
    try {
      return await work();
    } finally {
      this.watchdog.pause();
    }
  }

  /** Removes the listeners and stops the watchdog, without aborting. */
  close(): void {
    this.watchdog.stop();
    this.#unlisten();
  }
}
