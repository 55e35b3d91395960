import { MessageQueue, type QueueMode } from "../agent/queue.js";
import { idsOf, noteMessage } from "../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../core/types.js";
import type { SessionLog } from "../log/types.js";
import { markBacklog, unmarkBacklog } from "./backlog-mark.js";
import type { History } from "./history.js";
import type { Accepted } from "./types.js";

type Sent = Accepted["message"];

interface Unstored {
  message: Sent;
  stored: () => void;
  failed: (error: unknown) => void;
}

export interface BacklogOptions {
  session: SessionLog;
  /** The file that marks a backlog that is not empty. */
  markPath: string;
  history(): History;
}

/** Messages sent to a conversation that are not in its transcript yet. A message is accepted only once it is in the log. */
export class Backlog {
  readonly queue = new MessageQueue();
  readonly #options: BacklogOptions;
  /** Those who wait until the message with this id is stored. */
  readonly #unstored = new Map<string, Unstored>();
  /** What was accepted here and is not in the transcript yet. */
  readonly #accepted = new Set<string>();

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** For the run that is about to begin; resolves when the run has stored the message in the transcript. */
  enqueue(message: Sent, mode: QueueMode): Promise<void> {
    this.#accepted.add(message.id);
    this.queue.push(message, mode);
    return new Promise((confirmStored, failed) =>
      this.#unstored.set(message.id, { message, stored: confirmStored, failed }),
    );
  }

  /** For a later run; resolves when the message is in the log, as a note. */
  async storeAndEnqueue(message: Sent, mode: QueueMode): Promise<void> {
    this.#accepted.add(message.id);
    try {
      await this.#storeNote(message);
    } catch (error) {
      this.#accepted.delete(message.id);
      throw error;
    }
    this.queue.push(message, mode);
  }

  /** Another process runs the session: stores the queued messages until it is done. */
  async storeAll(): Promise<void> {
    for (const { message, stored } of this.#unstored.values()) {
      await this.#storeNote(message);
      stored();
    }
    this.#unstored.clear();
  }

  /**
   * One that waits in the log, and is about to be acknowledged. Whoever put it there may have been killed before it could
   * leave a mark, and then nobody would look for it. False when there is nothing to do.
   */
  async adopt(message: Sent): Promise<boolean> {
    if (!this.#isAbandoned(message)) return false;
    await markBacklog(this.#options.markPath);
    if (!this.#isAbandoned(message)) return false;
    this.#accepted.add(message.id);
    this.queue.push(message, "followup");
    return true;
  }

  /** The messages to answer next. Another process may have added some, or answered queued ones. */
  async nextPrompts(): Promise<UserMessage[]> {
    const prompts = await this.#readPrompts();
    if (prompts.length > 0 || this.#accepted.size > 0) return prompts;
    unmarkBacklog(this.#options.markPath);
    return this.#readPrompts();
  }

  /** These are in the transcript. */
  stored(messages: readonly AgentMessage[]): void {
    for (const message of messages) if (message.role === "user") idsOf(message).forEach(this.#confirm);
  }

  /** What is not in the log was not accepted; what is, is found there by whoever opens the session next. */
  clear(why: unknown): void {
    while (this.queue.takePrompts().length > 0);
    this.#accepted.clear();
    for (const { failed } of this.#unstored.values()) failed(why);
    this.#unstored.clear();
  }

  readonly #confirm = (id: string): void => {
    this.#accepted.delete(id);
    this.#unstored.get(id)?.stored();
    this.#unstored.delete(id);
  };

  #isAbandoned({ id }: Sent): boolean {
    return !this.#accepted.has(id) && this.#options.history().queued.some((message) => message.id === id);
  }

  async #storeNote(message: Sent): Promise<void> {
    const note = noteMessage({ type: "dragoman/inbox", data: { message } }, Date.now());
    await this.#options.session.append([note]);
    await markBacklog(this.#options.markPath);
  }

  async #readPrompts(): Promise<UserMessage[]> {
    const history = this.#options.history();
    await history.read();
    this.queue.drop((message) => {
      const { id } = message;
      const isTaken = id !== undefined && (history.has(id) || history.isDuplicate(message));
      if (isTaken) this.#confirm(id);
      return isTaken;
    });
    for (const message of history.queued) {
      if (message.id === undefined || this.#accepted.has(message.id)) continue;
      this.#accepted.add(message.id);
      this.queue.push(message, "followup");
    }
    return this.queue.takePrompts();
  }
}
