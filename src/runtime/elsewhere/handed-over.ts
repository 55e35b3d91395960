import { idsOf } from "../../core/message/notes.js";
import type { AgentMessage } from "../../core/types.js";

/** Messages that were accepted here and that another gateway answers, until it has. */
export class HandedOver {
  /** By id: whether the message is in the transcript. */
  readonly #messages = new Map<string, boolean>();
  readonly #onDone: () => void;

  /** @param onDone called when the last of them is answered */
  constructor(onDone: () => void) {
    this.#onDone = onDone;
  }

  get size(): number {
    return this.#messages.size;
  }

  add(id: string): void {
    this.#messages.set(id, false);
  }

  clear(): void {
    this.#messages.clear();
  }

  /** A message is in the log. */
  observe(message: AgentMessage): void {
    if (this.size === 0) return;
    if (message.role === "user") {
      for (const id of idsOf(message)) if (this.#messages.has(id)) this.#messages.set(id, true);
    }
    if (message.role === "assistant" && message.stopReason !== "toolUse") this.removeRead();
  }

  /** A run has ended: it has answered the messages in the transcript. */
  removeRead(): void {
    if (this.size === 0) return;
    for (const [id, isRead] of this.#messages) if (isRead) this.#messages.delete(id);
    if (this.size === 0) this.#onDone();
  }
}
