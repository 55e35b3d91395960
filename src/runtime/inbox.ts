import { MessageQueue, type QueueMode } from "../agent/queue.js";
import { idsOf, noteMessage } from "../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../core/types.js";
import type { SessionLog } from "../log/types.js";
import type { History } from "./history.js";
import { markInbox, unmarkInbox } from "./inbox-mark.js";
import type { Accepted } from "./types.js";

type Sent = Accepted["message"];

interface Unstored {
  message: Sent;
  stored: () => void;
  failed: (error: unknown) => void;
}

export interface InboxOptions {
  session: SessionLog;
  /** The file that marks that something waits. */
  path: string;
  history(): History;
}

/** What was sent to a conversation and is not in its transcript yet. Nothing of it is accepted before it is in the log. */
export class Inbox {
  readonly queue = new MessageQueue();
  readonly #options: InboxOptions;
  /** Those who wait until the message with this id is stored. */
  readonly #unstored = new Map<string, Unstored>();
  /** What was accepted here and is not in the transcript yet. */
  readonly #underWay = new Set<string>();

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** For the run that is about to begin, which stores it in the transcript; fulfilled when it has. */
  hold(message: Sent, mode: QueueMode): Promise<void> {
    this.#underWay.add(message.id);
    this.queue.push(message, mode);
    return new Promise((stored, failed) => this.#unstored.set(message.id, { message, stored, failed }));
  }

  /** For later: fulfilled when it is in the log, beside the transcript. */
  async keep(message: Sent, mode: QueueMode): Promise<void> {
    this.#underWay.add(message.id);
    try {
      await this.#put(message);
    } catch (error) {
      this.#underWay.delete(message.id);
      throw error;
    }
    this.queue.push(message, mode);
  }

  /** Somebody else runs the session: what was sent is kept for when they are done. */
  async keepAll(): Promise<void> {
    for (const { message, stored } of this.#unstored.values()) {
      await this.#put(message);
      stored();
    }
    this.#unstored.clear();
  }

  /**
   * One that waits in the log, and is about to be acknowledged. Whoever put it there may have been killed before it could
   * leave a mark, and then nobody would look for it. False when there is nothing to do.
   */
  async takeUp(message: Sent): Promise<boolean> {
    if (!this.#isLeft(message)) return false;
    await markInbox(this.#options.path);
    if (!this.#isLeft(message)) return false;
    this.#underWay.add(message.id);
    this.queue.push(message, "followup");
    return true;
  }

  /** What to answer next. Another process may have left something, or taken care of what waits here. */
  async next(): Promise<UserMessage[]> {
    const prompts = await this.#adopt();
    if (prompts.length > 0 || this.#underWay.size > 0) return prompts;
    unmarkInbox(this.#options.path);
    return this.#adopt();
  }

  /** These are in the transcript. */
  stored(messages: readonly AgentMessage[]): void {
    for (const message of messages) if (message.role === "user") idsOf(message).forEach(this.#settle);
  }

  /** What is not in the log was not accepted; what is, is found there by whoever opens the session next. */
  forget(why: unknown): void {
    while (this.queue.takePrompts().length > 0);
    this.#underWay.clear();
    for (const { failed } of this.#unstored.values()) failed(why);
    this.#unstored.clear();
  }

  readonly #settle = (id: string): void => {
    this.#underWay.delete(id);
    this.#unstored.get(id)?.stored();
    this.#unstored.delete(id);
  };

  #isLeft({ id }: Sent): boolean {
    return !this.#underWay.has(id) && this.#options.history().waiting.some((message) => message.id === id);
  }

  async #put(message: Sent): Promise<void> {
    const note = noteMessage({ type: "dragoman/inbox", data: { message } }, Date.now());
    await this.#options.session.append([note]);
    await markInbox(this.#options.path);
  }

  async #adopt(): Promise<UserMessage[]> {
    const history = this.#options.history();
    await history.read();
    this.queue.drop((message) => {
      const { id } = message;
      const isTaken = id !== undefined && (history.has(id) || history.isRepeated(message));
      if (isTaken) this.#settle(id);
      return isTaken;
    });
    for (const message of history.waiting) {
      if (message.id === undefined || this.#underWay.has(message.id)) continue;
      this.#underWay.add(message.id);
      this.queue.push(message, "followup");
    }
    return this.queue.takePrompts();
  }
}
