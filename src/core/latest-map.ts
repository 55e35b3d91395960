/**
 * A map that forgets old entries: it keeps at least the `least` latest, and less than twice as many.
 *
 * It has two generations, because removing the oldest entry of a `Map` for each new one is slow: V8 keeps removed entries until
 * the table is full, and finding the oldest passes all of them.
 */
export class LatestMap<V> {
  readonly #least: number;
  #current = new Map<string, V>();
  #previous = new Map<string, V>();

  constructor(least: number) {
    this.#least = least;
  }

  get(key: string): V | undefined {
    return this.#current.get(key) ?? this.#previous.get(key);
  }

  set(key: string, value: V): void {
    this.#current.set(key, value);
    if (this.#current.size < this.#least) return;
    this.#previous = this.#current;
    this.#current = new Map();
  }
}
