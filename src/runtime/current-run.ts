import { newId } from "../core/ids.js";

/** The run in progress, or the one that the next message will start: its id, its events' numbers, and how it is aborted. */
export class CurrentRun {
  #id = newId();
  #seq = 0;
  #controller = new AbortController();
  /** One run has ended and the next has not begun, so there is nothing to abort. */
  #between = false;

  get id(): string {
    return this.#id;
  }

  /** The number of events emitted in the run; 0 between runs. */
  get seq(): number {
    return this.#seq;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Only before it begins. */
  rename(id: string): void {
    this.#id = id;
  }

  /** Returns the number of the run's first event. */
  begin(): number {
    this.#between = false;
    return this.nextSeq();
  }

  nextSeq(): number {
    return ++this.#seq;
  }

  /** Aborts the run, or the next one before it begins. */
  abort(reason?: Error): void {
    this.#controller.abort(reason);
  }

  /** False between runs. */
  abortUnlessBetweenRuns(): boolean {
    if (!this.#between) this.abort();
    return !this.#between;
  }

  /** The next run gets a new id. */
  end(): void {
    this.#seq = 0;
    this.#between = true;
    this.#id = newId();
    this.#controller = new AbortController();
  }

  /** Nothing is left to answer. */
  rest(): void {
    this.#between = false;
  }

  /** If it was aborted while waiting for the lease, no run has used up the signal. */
  renewSignal(): void {
    if (this.signal.aborted) this.#controller = new AbortController();
  }
}
