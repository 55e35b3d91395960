import type { Dialect, LeafRole } from "../core/dialect.js";
import { noteOf } from "../core/message/notes.js";
import type { AgentMessage } from "../core/types.js";

/** How a message affects which one is the active leaf, in a dialect or through our own note. */
export function leafRoleOf(message: AgentMessage, { leafRole }: Pick<Dialect, "leafRole">): LeafRole {
  if (isLeafNote(message)) return message.parentId == null ? "tail" : { id: message.parentId };
  return leafRole?.(message) ?? "leaf";
}

/** Whether a message only names the leaf. */
export function isLeafNote(message: AgentMessage): boolean {
  return noteOf(message)?.type === "dragoman/leaf";
}

/** How many of the latest messages are remembered by id, to find out whether a named leaf exists. */
const REMEMBERED = 10_000;

/** Finds the active leaf of a conversation as a dialect's readers do, message by message. */
export class LeafTracker {
  readonly #dialect: Pick<Dialect, "leafRole">;
  /** The last message that can be the leaf, or follows it. */
  #leaf: string | undefined;
  #named: string | undefined;
  /** The last message in the tree. */
  #last: AgentMessage | undefined;
  readonly #latest = new Set<string>();
  #isComplete = true;

  constructor(dialect: Pick<Dialect, "leafRole">) {
    this.#dialect = dialect;
  }

  add(message: AgentMessage): void {
    const { id, parentId } = message;
    const role = leafRoleOf(message, this.#dialect);
    if (typeof role === "object") this.#named = role.id;
    if (parentId === undefined || id === undefined || isLeafNote(message)) return;
    this.#last = message;
    this.#remember(id);
    const isTail = role === "tail" && parentId !== null && parentId === (this.#named ?? this.#leaf);
    if (role !== "leaf" && !isTail) return;
    this.#leaf = id;
    this.#named = undefined;
  }

  #remember(id: string): void {
    this.#latest.delete(id);
    this.#latest.add(id);
    if (this.#latest.size <= REMEMBERED) return;
    const [oldest = ""] = this.#latest;
    this.#latest.delete(oldest);
    this.#isComplete = false;
  }

  /** The id of the leaf; undefined if there is no tree. A leaf that does not exist is not one. */
  get id(): string | undefined {
    const named = this.#named;
    const isKnown = named !== undefined && (!this.#isComplete || this.#latest.has(named));
    return isKnown ? named : (this.#leaf ?? this.#last?.id);
  }

  /** The time of the last message. */
  get timestamp(): number {
    return this.#last?.timestamp ?? 0;
  }
}
