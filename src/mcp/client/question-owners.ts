import { onAbort } from "../../core/async/on-abort.js";

/** A request of ours, during which the server may ask something. */
interface Askable {
  /** Aborts when the request has ended. */
  over: AbortController;
}

interface Waiting<C> {
  /** The requests that were open when the question arrived. One of them asked it. */
  candidates: readonly C[];
  resolve(owner: C | undefined): void;
}

/**
 * Finds the request that a question belongs to, over a pipe that does not name it. The question of one person must not be shown
 * to another, so it waits until all candidates but one have ended: a request does not end before its questions, because a
 * server cancels those that it no longer needs.
 */
export class QuestionOwners<C extends Askable> {
  readonly #waiting = new Set<Waiting<C>>();

  /** The owner; undefined if it cannot be known, because each candidate may wait for an answer itself, or if it is cancelled. */
  async find(candidates: readonly C[], cancelled: AbortSignal): Promise<C | undefined> {
    if (candidates.length <= 1) return candidates[0];
    const ends: (() => void)[] = [];
    const owner = await new Promise<C | undefined>((resolve) => {
      const waiting = { candidates, resolve };
      this.#waiting.add(waiting);
      for (const { over } of candidates) ends.push(onAbort(over.signal, () => this.#settle()));
      ends.push(
        onAbort(cancelled, () => {
          this.#end(waiting, undefined);
          this.#settle();
        }),
      );
      this.#settle();
    });
    for (const end of ends) end();
    return owner;
  }

  #settle(): void {
    for (const waiting of [...this.#waiting]) {
      const open = waiting.candidates.filter(isOpen);
      if (open.length <= 1) this.#end(waiting, open[0]);
    }
    const newest = [...this.#waiting].at(-1);
    const open = new Set([...this.#waiting].flatMap(({ candidates }) => candidates.filter(isOpen)));
    if (newest === undefined || this.#waiting.size < open.size) return;
    this.#end(newest, undefined);
    this.#settle();
  }

  #end(waiting: Waiting<C>, owner: C | undefined): void {
    if (this.#waiting.delete(waiting)) waiting.resolve(owner);
  }
}

function isOpen({ over }: Askable): boolean {
  return !over.signal.aborted;
}
