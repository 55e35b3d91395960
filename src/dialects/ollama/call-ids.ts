/**
 * Which result answers which call. Older servers know no ids: there a result follows its call, and names the tool at
 * most, so that the first call that waits for such a result is meant.
 */
export class CallIds {
  readonly #taken: ReadonlySet<string>;
  readonly #waiting: { id: string; name: string }[] = [];
  #made = 0;

  /** `taken` are the ids that are in use. */
  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken;
  }

  ofCall(id: string | undefined, name: string): string {
    const call = { id: id ?? this.#make(), name };
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

  #make(): string {
    do this.#made++;
    while (this.#taken.has(`call_${this.#made}`));
    return `call_${this.#made}`;
  }
}
