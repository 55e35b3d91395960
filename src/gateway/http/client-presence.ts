import type { ServerResponse } from "node:http";

/** Whether a client still waits for its answer. Listeners are plain functions: a signal takes many times as long to create. */
export class ClientPresence {
  readonly #listeners = new Set<() => void>();
  #controller: AbortController | undefined;
  #hasLeft = false;

  constructor(response: Pick<ServerResponse, "on" | "writableFinished">) {
    response.on("close", () => {
      if (!response.writableFinished) this.#leave();
    });
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Aborts when the client leaves. Created when it is first read. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#hasLeft) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Calls the listener when the client leaves, immediately if it has; returns a function that removes the listener. */
  onLeave(listener: () => void): () => void {
    if (this.#hasLeft) listener();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#controller?.abort();
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }
}
