import { idsOf } from "../../core/message/notes.js";
import type { UserMessage } from "../../core/types.js";
import type { Subscriber } from "./subscriber.js";

/**
 * A client that receives the events of only those runs that answer its messages. There is one per client and session, so that
 * no event is sent twice.
 */
export class RunFollower {
  readonly subscriber: Subscriber;
  readonly #isSubscribed: () => boolean;
  readonly #onDone: () => void;
  /** The client's messages that no run has accepted yet; true if the message is on disk. */
  readonly #waiting = new Map<string, boolean>();
  #runId: string | undefined;

  /** `isSubscribed`: whether the client has a subscription to the session, which then decides what it receives. */
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

  /** Whether it begins to follow the run, because the run accepted one of its messages. */
  acceptRun(runId: string, stored: UserMessage): boolean {
    const accepted = idsOf(stored).filter((id) => this.#waiting.delete(id));
    return accepted.length > 0 && this.follow(runId);
  }

  /** False if it already follows the run. */
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

  /** Waiting messages on disk. If nothing is running here, another process answers them. */
  get abandoned(): string[] {
    return [...this.#waiting].flatMap(([id, onDisk]) => (onDisk ? [id] : []));
  }

  /** Whether it follows and awaits nothing; then its client removes it. */
  leaveIfDone(): boolean {
    const isDone = this.#runId === undefined && this.#waiting.size === 0;
    if (isDone) this.#onDone();
    return isDone;
  }
}
