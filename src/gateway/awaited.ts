/** Clients that wait for what does not exist yet, by its key. */
export class Awaited<T> {
  readonly #callbacks = new Map<string, Set<(value: T) => void>>();

  has(key: string): boolean {
    return this.#callbacks.has(key);
  }

  /** Calls back once, when it exists. Returns a function that stops waiting. */
  add(key: string, callback: (value: T) => void): () => void {
    const waiting = this.#callbacks.get(key) ?? new Set();
    this.#callbacks.set(key, waiting.add(callback));
    return () => {
      waiting.delete(callback);
      if (waiting.size === 0 && this.#callbacks.get(key) === waiting) this.#callbacks.delete(key);
    };
  }

  resolve(key: string, value: T): void {
    const waiting = this.#callbacks.get(key) ?? [];
    this.#callbacks.delete(key);
    for (const callback of waiting) callback(value);
  }
}
