import type { UserContent, UserMessage } from "../core/types.js";

/**
 * How a message that arrives during a run is delivered.
 * `steer`: after the current tool results. `followup`: when the run would stop, one at a time.
 * `collect`: like `followup`, but all queued messages of the same sender are joined into one.
 * `interrupt`: the run is aborted, and the message starts the next one.
 */
export type QueueMode = "steer" | "followup" | "collect" | "interrupt";

interface QueuedMessage {
  message: UserMessage;
  mode: QueueMode;
}

/**
 * Messages queued for an agent. The code that starts runs owns it: a run that ends leaves unread messages in it.
 *
 * @example
 * const queue = new MessageQueue();
 * queue.push(message);
 * for (let prompts = queue.takePrompts(); prompts.length > 0; prompts = queue.takePrompts()) {
 *   for await (const event of run(prompts, { model, queue })) show(event); // meanwhile: queue.push(another)
 * }
 */
export class MessageQueue {
  #queued: QueuedMessage[] = [];
  readonly #listeners = new Set<() => void>();

  get size(): number {
    return this.#queued.length;
  }

  push(message: UserMessage, mode: QueueMode = "steer"): void {
    this.#queued.push({ message, mode });
    if (mode === "interrupt") for (const listener of this.#listeners) listener();
  }

  /** Calls back for every interrupting message, queued ones included. Returns a function that unsubscribes. */
  onInterrupt(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#queued.some(({ mode }) => mode === "interrupt")) listener();
    return () => this.#listeners.delete(listener);
  }

  /** Removes and returns everything, for another process to handle. */
  takeAll(): QueuedMessage[] {
    return this.#queued.splice(0);
  }

  /** Removes messages that another process has handled. */
  drop(unwanted: (message: UserMessage) => boolean): void {
    this.#remove(({ message }) => unwanted(message));
  }

  /** Removes and returns all steering messages, in order of arrival. */
  takeSteering(): UserMessage[] {
    return this.#remove(({ mode }) => mode === "steer");
  }

  /** Removes and returns the next prompts: all that steer or interrupt; if there are none, the next follow-up. */
  takePrompts(): UserMessage[] {
    const urgent = this.#remove(({ mode }) => mode === "steer" || mode === "interrupt");
    const [next] = this.#queued;
    if (urgent.length > 0 || next === undefined) return urgent;
    if (next.mode === "followup") return this.#remove((queued) => queued === next);
    const { sender } = next.message;
    return [
      joinMessages(
        next.message,
        this.#remove(({ mode, message }) => mode === "collect" && message.sender === sender),
      ),
    ];
  }

  #remove(isWanted: (queued: QueuedMessage) => boolean): UserMessage[] {
    const removed: UserMessage[] = [];
    this.#queued = this.#queued.filter((queued) => {
      if (!isWanted(queued)) return true;
      removed.push(queued.message);
      return false;
    });
    return removed;
  }
}

/** Joins several messages. The result has the first one's id; `ext.collected` has each one's fields besides content. */
function joinMessages(first: UserMessage, messages: readonly UserMessage[]): UserMessage {
  if (messages.length === 1) return first;
  const collected = messages.map(({ content: _, ...rest }) => rest);
  return {
    ...first,
    content: joinContents(messages.map(({ content }) => content)),
    ext: { ...first.ext, collected },
  };
}

function joinContents(contents: readonly UserMessage["content"][]): UserMessage["content"] {
  if (contents.every((content) => typeof content === "string")) return contents.join("\n\n");
  return contents.flatMap((content): UserContent[] =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
}
