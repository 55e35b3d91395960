import { idsOf } from "../../core/message/notes.js";
import type { UserMessage } from "../../core/types.js";
import type { Subscriber } from "./subscriber.js";

/**
 * A client that receives the events of the runs that answer its messages, and of no other run. One for each client and
 * session, so that no event is sent twice.
 */
export class RunFollower {
  readonly subscriber: Subscriber;
  readonly #isSubscribed: () => boolean;
  readonly #onDone: () => void;
  /** The client's messages that no run has taken in yet. True: the message is on disk. */
  readonly #waiting = new Map<string, boolean>();
  #runId: string | undefined;

  /** `isSubscribed`: the client has a subscription to the session, which alone decides what it receives. */
  constructor(subscriber: Subscriber, isSubscribed: () => boolean, onDone: () => void) {
    this.subscriber = subscriber;
    this.#isSubscribed = isSubscribed;
    this.#onDone = onDone;
  }

  expect(messageId: string): void {
    this.#waiting.set(messageId, false);
  }

  markStored(messageId: string): void {
    if (this.#waiting.has(messageId)) this.#waiting.set(messageId, true);
  }

  forget(messageId: string): void {
    this.#waiting.delete(messageId);
  }

  /** Whether it begins to follow the run, because the run has taken in one of its messages. */
  acceptRun(runId: string, stored: UserMessage): boolean {
    const taken = idsOf(stored).filter((id) => this.#waiting.delete(id));
    return taken.length > 0 && this.follow(runId);
  }

  /** False if it follows the run already. */
  follow(runId: string): boolean {
    const begins = this.#runId !== runId;
    this.#runId = runId;
    return begins;
  }

  follows(runId: string): boolean {
    return this.#runId === runId;
  }

  receives(runId: string): boolean {
    return this.follows(runId) && !this.#isSubscribed();
  }

  end(runId: string): void {
    if (this.follows(runId)) this.#runId = undefined;
  }

  /** Messages that are on disk though nothing is under way here: another process answers them. */
  get abandoned(): string[] {
    return [...this.#waiting].flatMap(([id, onDisk]) => (onDisk ? [id] : []));
  }

  /** Whether it follows nothing and waits for nothing; then its client forgets it. */
  leaveIfDone(): boolean {
    const isDone = this.#runId === undefined && this.#waiting.size === 0;
    if (isDone) this.#onDone();
    return isDone;
  }
}
