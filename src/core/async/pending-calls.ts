/** A request that waits for its answer. */
export interface PendingCall<R = unknown> {
  resolve(result: R): void;
  reject(error: Error): void;
}

/** The requests that one side of a JSON-RPC connection has sent, until they are answered. Ids are not reused. */
export class PendingCalls<C extends Pick<PendingCall, "reject"> = PendingCall> {
  readonly #calls = new Map<unknown, C>();
  #lastId = 0;

  newId(): number {
    return ++this.#lastId;
  }

  add(id: number, call: C): void {
    this.#calls.set(id, call);
  }

  /** @param id as the other side sent it */
  get(id: unknown): C | undefined {
    return this.#calls.get(id);
  }

  /** Removes a request, and returns it if it was pending. */
  remove(id: unknown): C | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  all(): C[] {
    return [...this.#calls.values()];
  }

  /** Rejects all requests, because none will be answered any more. */
  rejectAll(why: Error): void {
    const calls = this.all();
    this.#calls.clear();
    for (const { reject } of calls) reject(why);
  }
}
