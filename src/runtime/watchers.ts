import type { ConversationEvent } from "./types.js";

export type Listener = (event: ConversationEvent) => void;

/** The listeners of a conversation. */
export class Watchers {
  readonly #listeners = new Set<Listener>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Returns a function that removes the listener, and calls `onRemoved` once. */
  add(listener: Listener, onRemoved: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener)) onRemoved();
    };
  }

  /** A listener that throws must not stop the run or the other listeners. */
  emit(event: ConversationEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }
}
