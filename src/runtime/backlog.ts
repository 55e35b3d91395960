import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { MessageQueue, type QueueMode } from "../agent/queue.js";
import { idsOf, noteMessage } from "../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../core/types.js";
import { makeFolder } from "../log/files/folder.js";
import type { SessionLog } from "../log/types.js";
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
  /** The file that marks a non-empty backlog. */
  markPath: string;
  history(): History;
}

/**
 * The mark of a session with a backlog: an empty file, created after the message is in the log and before the message is
 * acknowledged. The holder of the session's lease removes it, and reads the log once more afterwards. So a message that the
 * holder has not read has a mark, and is found if its process is killed.
 */
export async function markBacklog(path: string): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(path, "");
}

/** Messages sent to a conversation that are not in its transcript yet. A message is accepted once it is in the log. */
export class Backlog {
  readonly queue = new MessageQueue();
  readonly #options: BacklogOptions;
  /** By id: messages whose senders wait until they are stored. */
  readonly #unstored = new Map<string, Unstored>();
  /** The ids of messages that were accepted here and are not in the transcript yet. */
  readonly #accepted = new Set<string>();

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** For the run that is about to begin; resolves when the run has stored the message in the transcript. */
  enqueue(message: Sent, mode: QueueMode): Promise<void> {
    this.#accepted.add(message.id);
    this.queue.push(message, mode);
    return new Promise((stored, failed) => this.#unstored.set(message.id, { message, stored, failed }));
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

  /** Stores the queued messages while another process runs the session. */
  async storeAll(): Promise<void> {
    for (const { message, stored } of this.#unstored.values()) {
      await this.#storeNote(message);
      stored();
    }
    this.#unstored.clear();
  }

  /**
   * Queues a message from the log's backlog that is about to be acknowledged again. Its process may have been killed before
   * it could write a mark, and then no other process would find the message. False when there is nothing to do.
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
    // Synchronous, so that this process cannot accept a message in between.
    rmSync(this.#options.markPath, { force: true });
    return this.#readPrompts();
  }

  /** Acknowledges messages that are now in the transcript. */
  confirmStored(messages: readonly AgentMessage[]): void {
    for (const message of messages) if (message.role === "user") idsOf(message).forEach(this.#confirm);
  }

  /** Fails messages that are not in the log. Those that are will be found when the session is opened next. */
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
      const isStored = id !== undefined && (history.has(id) || history.isDuplicate(message));
      if (isStored) this.#confirm(id);
      return isStored;
    });
    for (const message of history.queued) {
      if (message.id === undefined || this.#accepted.has(message.id)) continue;
      this.#accepted.add(message.id);
      this.queue.push(message, "followup");
    }
    return this.queue.takePrompts();
  }
}
