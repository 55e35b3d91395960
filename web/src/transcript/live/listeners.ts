/** The listeners of a store outside React: `useSyncExternalStore(store.subscribe, store.snapshot)`. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  emit(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** When listeners are notified: at the next frame by default, so that many deltas cause one update. */
export type Schedule = (work: () => void) => void;

export const nextFrame: Schedule = (work) => {
  requestAnimationFrame(() => work());
};
