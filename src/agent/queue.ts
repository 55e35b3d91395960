import type { UserContent, UserMessage } from "../core/types.js";

/**
 * What becomes of a message that arrives while a run is active.
 * `steer`: it is delivered after the current tool results. `followup`: when the run would stop, one at a time.
 * `collect`: like `followup`, but all that wait from the same sender are joined into one message.
 * `interrupt`: the run is aborted, and the message begins the next one.
 */
export type QueueMode = "steer" | "followup" | "collect" | "interrupt";

interface QueuedMessage {
  message: UserMessage;
  mode: QueueMode;
}

/**
 * Messages that wait for a run to take them. It belongs to whoever starts runs: a run that ends leaves in it what it has
 * not taken.
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

  /** Calls back for every message that interrupts, also for one that waits already; returns how to stop that. */
  onInterrupt(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#queued.some(({ mode }) => mode === "interrupt")) listener();
    return () => this.#listeners.delete(listener);
  }

  /** Forgets what somebody else has taken care of. */
  drop(unwanted: (message: UserMessage) => boolean): void {
    this.#remove(({ message }) => unwanted(message));
  }

  /** All that steer, in the order they came. */
  takeSteering(): UserMessage[] {
    return this.#remove(({ mode }) => mode === "steer");
  }

  /** What goes on when nothing else does: all that steer or interrupt; if there are none, the next that waits for this. */
  takePrompts(): UserMessage[] {
    const urgent = this.#remove(({ mode }) => mode === "steer" || mode === "interrupt");
    const [next] = this.#queued;
    if (urgent.length > 0 || next === undefined) return urgent;
    if (next.mode === "followup") return this.#remove((waiting) => waiting === next);
    const { sender } = next.message;
    return [
      joinMessages(
        next.message,
        this.#remove(({ mode, message }) => mode === "collect" && message.sender === sender),
      ),
    ];
  }

  #remove(wanted: (waiting: QueuedMessage) => boolean): UserMessage[] {
    const taken: UserMessage[] = [];
    const left: QueuedMessage[] = [];
    for (const waiting of this.#queued) {
      if (wanted(waiting)) taken.push(waiting.message);
      else left.push(waiting);
    }
    this.#queued = left;
    return taken;
  }
}

/** One message of several. It has the id of the first; `ext.collected` is what each had beside its content. */
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
