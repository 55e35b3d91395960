/** Requests in progress, so that clients of the legacy era can cancel them by id. */
export class OpenRequests {
  readonly #open = new Map<string, Set<AbortController>>();

  /** Returns a function that removes the request. */
  add(token: string, id: string | number, controller: AbortController): () => void {
    const key = keyOf(token, id);
    const same = this.#open.get(key) ?? new Set();
    this.#open.set(key, same.add(controller));
    return () => {
      same.delete(controller);
      if (same.size === 0) this.#open.delete(key);
    };
  }

  /** False if several clients with the same token use this id: one of them would lose its request to another. */
  cancel(token: string, id: unknown): boolean {
    const [first, ...others] = this.#open.get(keyOf(token, id)) ?? [];
    if (others.length > 0) return false;
    first?.abort();
    return true;
  }
}

function keyOf(token: string, id: unknown): string {
  return `${token} ${JSON.stringify(id)}`;
}
