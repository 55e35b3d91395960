import { watchPath } from "./watch-path.js";
import type { Writer } from "./writer.js";

/** Some network and container file systems report no changes. */
const POLL_MS = 1_000;

/** Signals when to read files again: after their changes, after the appends of a writer in this process, and periodically. */
export class FileChanges {
  readonly #signal: AbortSignal;
  readonly #poll: NodeJS.Timeout;
  readonly #unwatch: readonly (() => void)[];
  readonly #unlisten: () => void;
  #changed = false;
  #resolve: (() => void) | undefined;
  readonly #notify = () => {
    this.#changed = true;
    this.#resolve?.();
  };

  constructor(paths: readonly string[], signal: AbortSignal, writer?: Writer) {
    this.#signal = signal;
    this.#unwatch = paths.map((path) => watchPath(path, this.#notify));
    this.#unlisten = writer?.listen(this.#notify) ?? (() => undefined);
    this.#poll = setInterval(this.#notify, POLL_MS);
    signal.addEventListener("abort", this.#notify);
  }

  /** Call before reading: changes up to here are about to be read. */
  reset(): void {
    this.#changed = false;
  }

  /** Waits for a change since the last `reset`. */
  async wait(): Promise<void> {
    while (!this.#changed && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
  }

  stop(): void {
    clearInterval(this.#poll);
    for (const unwatch of this.#unwatch) unwatch();
    this.#unlisten();
    this.#signal.removeEventListener("abort", this.#notify);
  }
}
