/**
 * Ids for the calls of a request that have none, and which call a result answers: the one that has its id or, where
 * results have none, the first of that name that waits. The same request always gets the same ids.
 */
export class CallIds {
  readonly #taken: ReadonlySet<string>;
  readonly #waiting: { id: string; name: string }[] = [];
  #made = 0;

  /** `taken` are the ids that the request has. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  ofCall(id: string | undefined, name: string): string {
    const call = { id: id ?? this.make(), name };
    this.#waiting.push(call);
    return call.id;
  }

  /** The call that a result answers; undefined when there is none. */
  ofResult(id: string | undefined, name: string | undefined): { id: string; name: string } | undefined {
    const index = this.#waiting.findIndex((call) =>
      id === undefined ? name === undefined || call.name === name : call.id === id,
    );
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  make(): string {
    do this.#made++;
    while (this.#taken.has(`call_${this.#made}`));
    return `call_${this.#made}`;
  }
}
