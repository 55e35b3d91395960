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

/** Finds the active leaf of a conversation as a dialect's readers do, message by message. */
export class LeafTracker {
  readonly #dialect: Pick<Dialect, "leafRole">;
  #leaf: string | undefined;
  /** The last message in the tree. */
  #last: AgentMessage | undefined;

  constructor(dialect: Pick<Dialect, "leafRole">) {
    this.#dialect = dialect;
  }

  add(message: AgentMessage): void {
    const { id, parentId } = message;
    const role = leafRoleOf(message, this.#dialect);
    if (typeof role === "object") this.#leaf = role.id;
    if (parentId === undefined || id === undefined || isLeafNote(message)) return;
    this.#last = message;
    const isTail = role === "tail" && parentId !== null && parentId === this.#leaf;
    if (role === "leaf" || isTail) this.#leaf = id;
  }

  /** The id of the leaf; undefined if there is no tree. */
  get id(): string | undefined {
    return this.#leaf ?? this.#last?.id;
  }

  /** The time of the last message. */
  get timestamp(): number {
    return this.#last?.timestamp ?? 0;
  }
}
