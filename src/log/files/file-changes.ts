import type { Writer } from "../writer.js";
import { watchPath } from "./watch-path.js";

/** Some file systems (of networks, of containers) tell nobody about changes. */
const POLL_MS = 1_000;

/** Says when to look at a session's file again: after appends of this process, changes by others, and now and then. */
export class FileChanges {
  readonly #signal: AbortSignal;
  readonly #poll: NodeJS.Timeout;
  readonly #unwatch: () => void;
  readonly #unlisten: () => void;
  #changed = false;
  #resolve: (() => void) | undefined;
  readonly #notify = () => {
    this.#changed = true;
    this.#resolve?.();
  };

  constructor(path: string, writer: Writer, signal: AbortSignal) {
    this.#signal = signal;
    this.#unwatch = watchPath(path, this.#notify);
    this.#unlisten = writer.listen(this.#notify);
    this.#poll = setInterval(this.#notify, POLL_MS);
    signal.addEventListener("abort", this.#notify);
  }

  /** Changes up to here are about to be seen. */
  reset(): void {
    this.#changed = false;
  }

  /** Waits until something happens after the last `forget`. */
  async wait(): Promise<void> {
    while (!this.#changed && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
  }

  stop(): void {
    clearInterval(this.#poll);
    this.#unwatch();
    this.#unlisten();
    this.#signal.removeEventListener("abort", this.#notify);
  }
}
