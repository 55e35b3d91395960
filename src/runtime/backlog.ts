import { MessageQueue, type QueueMode } from "../agent/queue.js";
import { idsOf, noteMessage } from "../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../core/types.js";
import type { Lease, SessionLog } from "../log/types.js";
import type { Elsewhere } from "./elsewhere/elsewhere.js";
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
  history(): History;
}

/**
 * Messages sent to a conversation that are not in its transcript yet. A message is accepted once it is in the log: in the
 * transcript, or as a note that makes the session due, so that it is found if its process is killed.
 */
export class Backlog {
  readonly queue = new MessageQueue();
  readonly #options: BacklogOptions;
  /** By id: messages whose senders wait until they are stored. */
  readonly #unstored = new Map<string, Unstored>();
  /** The ids of messages that were accepted here and are not in the transcript yet. */
  readonly #accepted = new Set<string>();
  /** The ids of those whose notes are being stored, to be queued then. */
  readonly #storing = new Set<string>();

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Whether every message that was accepted here is in the transcript. */
  get isEmpty(): boolean {
    return this.#accepted.size === 0;
  }

  /** For the run that is about to begin; resolves when the run has stored the message in the transcript. */
  enqueue(message: Sent, mode: QueueMode): Promise<void> {
    this.#accepted.add(message.id);
    this.queue.push(message, mode);
    return new Promise((stored, failed) => this.#unstored.set(message.id, { message, stored, failed }));
  }

  /** For a later run; resolves when the message is in the log, as a note. False if one with the same key is there already. */
  async storeAndEnqueue(message: Sent, mode: QueueMode): Promise<boolean> {
    const { id } = message;
    this.#accepted.add(id);
    this.#storing.add(id);
    let isNew = false;
    let isCleared = false;
    try {
      isNew = await this.#storeNote(message);
    } finally {
      isCleared = !this.#storing.delete(id);
      if (!isNew) this.#accepted.delete(id);
    }
    // If the backlog was cleared meanwhile, the next run reads the message from the log.
    if (isNew && !isCleared) this.queue.push(message, mode);
    return isNew;
  }

  /**
   * Stores the queued messages, because another process holds the lease. True if that is a gateway that answers them; then
   * they are no longer queued here.
   */
  async leaveTo(elsewhere: Pick<Elsewhere, "handOver"> | undefined): Promise<boolean> {
    for (const { message, stored } of this.#unstored.values()) {
      await this.#storeNote(message);
      stored();
    }
    this.#unstored.clear();
    if (elsewhere === undefined) return false;
    const queued = this.queue.takeAll();
    const isAccepted = await elsewhere.handOver(
      queued.flatMap(({ message: { id }, mode }) => (id === undefined ? [] : [{ id, mode }])),
    );
    for (const { message, mode } of queued) {
      if (!isAccepted) this.queue.push(message, mode);
      else if (message.id !== undefined) this.#accepted.delete(message.id);
    }
    return isAccepted;
  }

  /** For the run in progress: a message that another process has stored as a note. Undefined if there is nothing to do. */
  async enqueueStored(messageId: string, mode: QueueMode): Promise<UserMessage | undefined> {
    const history = this.#options.history();
    await history.read();
    // It may have been sent to this process, too.
    this.dropStored();
    const message = history.queued.find(({ id }) => id === messageId);
    if (message === undefined || this.#accepted.has(messageId)) return undefined;
    this.#accepted.add(messageId);
    this.queue.push(message, mode);
    return message;
  }

  /**
   * Queues a message from the log's backlog that is about to be acknowledged again. Its process may have been killed before
   * the session was due, and then no other process would find the message. False when there is nothing to do.
   */
  async adopt(message: Sent): Promise<boolean> {
    if (!this.#isAbandoned(message)) return false;
    await this.#options.session.append([], { due: true });
    if (!this.#isAbandoned(message)) return false;
    this.#accepted.add(message.id);
    this.queue.push(message, "followup");
    return true;
  }

  /** The messages to answer next. Another process may have added some, or answered queued ones. */
  async nextPrompts(lease: Lease): Promise<UserMessage[]> {
    const { session } = this.#options;
    for (;;) {
      const end = await session.end();
      const prompts = await this.#readPrompts();
      if (prompts.length > 0 || this.#accepted.size > 0) return prompts;
      // If this process accepts a message meanwhile, the session is due again, and another run begins after this one.
      if (await session.clearDue(lease, end)) return [];
    }
  }

  /** Acknowledges messages that are now in the transcript. */
  confirmStored(messages: readonly AgentMessage[]): void {
    for (const message of messages) if (message.role === "user") idsOf(message).forEach(this.#confirm);
  }

  /** Fails messages that are not in the log. Those that are will be found when the session is opened next. */
  clear(why: unknown): void {
    while (this.queue.takePrompts().length > 0);
    this.#accepted.clear();
    this.#storing.clear();
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

  /** False if the log has a message with the same key, which counts instead. */
  async #storeNote(message: Sent): Promise<boolean> {
    const note = noteMessage({ type: "dragoman/inbox", data: { message } }, Date.now());
    const { before } = await this.#options.session.append([note], { due: true, once: true });
    return before === undefined;
  }

  /**
   * Drops queued messages that are in the log by now: a sender that had no answer has sent them to two processes, and the
   * other one has stored them. The history has been read.
   */
  dropStored(): void {
    const history = this.#options.history();
    this.queue.drop((message) => {
      const { id } = message;
      const isStored = id !== undefined && (history.has(id) || history.isDuplicate(message));
      if (isStored) this.#confirm(id);
      return isStored;
    });
  }

  async #readPrompts(): Promise<UserMessage[]> {
    const history = this.#options.history();
    await history.read();
    this.dropStored();
    for (const message of history.queued) {
      if (message.id === undefined || this.#accepted.has(message.id)) continue;
      this.#accepted.add(message.id);
      this.queue.push(message, "followup");
    }
    return this.queue.takePrompts();
  }
}
