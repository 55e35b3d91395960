import type { ClientSocket } from "../types.js";

/** Sends a client live frames; queues them while the client is sent what happened before. */
export class CatchUpQueue {
  readonly #socket: Pick<ClientSocket, "send">;
  readonly #maxBytes: number;
  readonly #onOverflow: () => void;
  #queued: Uint8Array[] | undefined;
  #bytes = 0;

  constructor(socket: Pick<ClientSocket, "send">, maxBytes: number, onOverflow: () => void) {
    this.#socket = socket;
    this.#maxBytes = maxBytes;
    this.#onOverflow = onOverflow;
  }

  pause(): void {
    this.#queued = [];
    this.#bytes = 0;
  }

  send(frame: Uint8Array): void {
    if (this.#queued === undefined) {
      this.#socket.send(frame);
      return;
    }
    this.#queued.push(frame);
    this.#bytes += frame.length;
    if (this.#bytes > this.#maxBytes) this.#onOverflow();
  }

  /** Sends these frames, the queued ones, and then each as it comes. */
  resume(first: readonly Uint8Array[] = []): void {
    const queued = this.#queued ?? [];
    this.#queued = undefined;
    for (const frame of [...first, ...queued]) this.#socket.send(frame);
  }
}
