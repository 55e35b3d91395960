/** The requests of the other side that are being handled, by id. Each can be cancelled. */
export class OpenRequests {
  readonly #open = new Map<unknown, { cancel: AbortController; done: Promise<void> }>();

  has(id: unknown): boolean {
    return this.#open.has(id);
  }

  /** Handles a request. `work` must not fail; its signal aborts when the request is cancelled. */
  start(id: unknown, work: (signal: AbortSignal) => Promise<void>): void {
    const cancel = new AbortController();
    const entry = { cancel, done: Promise.resolve() };
    this.#open.set(id, entry);
    entry.done = work(cancel.signal).finally(() => {
      if (this.#open.get(id) === entry) this.#open.delete(id);
    });
  }

  cancel(id: unknown): void {
    this.#open.get(id)?.cancel.abort();
  }

  /** Cancels all. Fulfilled when all have ended. */
  async close(): Promise<void> {
    const open = [...this.#open.values()];
    for (const { cancel } of open) cancel.abort();
    await Promise.all(open.map(({ done }) => done));
  }
}
