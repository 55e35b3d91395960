import type { ConversationEvent } from "./types.js";

export type Listener = (event: ConversationEvent) => void;

/** The watchers of a conversation. One that throws must not stop the run or the others. */
export class EventListeners {
  readonly #listeners = new Set<Listener>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#listeners.size;
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** False if it was removed before. */
  remove(listener: Listener): boolean {
    return this.#listeners.delete(listener);
  }

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
