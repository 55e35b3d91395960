import { newId } from "../core/ids.js";

/** The run in progress, or the one that is about to begin: its id, its events' numbers, and how it is aborted. */
export class CurrentRun {
  #id = newId();
  /** What the id is: the id of the message that is to begin the run, or one that another message's sender was given. */
  #origin: "new" | "given" | "message" = "new";
  #seq = 0;
  #controller = new AbortController();
  #between = false;

  get id(): string {
    return this.#id;
  }

  /** The number of events emitted in the run; 0 between runs. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether one run has ended and the next has not begun, so that there is nothing to abort. */
  get between(): boolean {
    return this.#between;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A message is to begin it. */
  expect(messageId: string): void {
    this.#id = messageId;
    this.#origin = "message";
  }

  /** The id, for the sender of a message that joins the run. */
  join(): string {
    if (this.#origin === "new") this.#origin = "given";
    return this.#id;
  }

  /**
   * A run is named after the message that begins it, so that its id is known to each process that accepts the message. A
   * resumed run, which no message begins, has a new id. Returns the number of its first event.
   */
  begin(messageIds: readonly string[]): number {
    if (this.#origin !== "given" && !messageIds.includes(this.#id)) this.#id = messageIds[0] ?? newId();
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

  end(): void {
    this.#seq = 0;
    this.#between = true;
    this.#id = newId();
    this.#origin = "new";
    this.#controller = new AbortController();
  }

  /** Nothing is left to answer, and the lease is released. */
  rest(): void {
    this.#between = false;
  }

  /** If it was aborted while waiting for the lease, no run has used up the signal. */
  renewSignal(): void {
    if (this.signal.aborted) this.#controller = new AbortController();
  }
}
