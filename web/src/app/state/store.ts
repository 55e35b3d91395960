import { useSyncExternalStore } from "react";
import { Listeners } from "../../transcript/live/listeners.js";

/** An observable value outside of React. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Listeners();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly subscribe = this.#listeners.subscribe;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.#listeners.emit();
  }

  update(change: (value: T) => T): void {
    this.set(change(this.#value));
  }
}

export function useStore<T>(store: Pick<Store<T>, "subscribe" | "get">): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
