/**
 * Makes ids for a request's calls that have none, and finds the call that a result answers: the one with its id or, if
 * results have no ids, the first unanswered one with its name. The same request always gets the same ids.
 */
export class CallIds {
  readonly #taken: ReadonlySet<string>;
  readonly #waiting: { id: string; name: string }[] = [];
  #made = 0;

  /** `taken` are the ids in the request. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  ofCall(id: string | undefined, name: string): string {
    const call = { id: id ?? this.make(), name };
    this.#waiting.push(call);
    return call.id;
  }

  /** The call that a result answers, if any. */
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
