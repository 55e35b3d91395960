import type { Writer } from "../writer.js";
import { watchPath } from "./watch-path.js";

/** Some file systems (of networks, of containers) tell nobody about changes. */
const POLL_MS = 1_000;

/** Says when to look at a session's file again: after appends of this process, changes by others, and now and then. */
export class Wakes {
  readonly #signal: AbortSignal;
  readonly #poll: NodeJS.Timeout;
  readonly #unwatch: () => void;
  readonly #unlisten: () => void;
  #woken = false;
  #resolve: (() => void) | undefined;
  readonly #wake = () => {
    this.#woken = true;
    this.#resolve?.();
  };

  constructor(path: string, writer: Writer, signal: AbortSignal) {
    this.#signal = signal;
    this.#unwatch = watchPath(path, this.#wake);
    this.#unlisten = writer.listen(this.#wake);
    this.#poll = setInterval(this.#wake, POLL_MS);
    signal.addEventListener("abort", this.#wake);
  }

  /** Changes up to here are about to be seen. */
  forget(): void {
    this.#woken = false;
  }

  /** Waits until something happens after the last `forget`. */
  async next(): Promise<void> {
    while (!this.#woken && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
  }

  stop(): void {
    clearInterval(this.#poll);
    this.#unwatch();
    this.#unlisten();
    this.#signal.removeEventListener("abort", this.#wake);
  }
}
