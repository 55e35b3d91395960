import type { AgentMessage } from "../../core/types.js";
import type { Item } from "./items.js";
import type { Journal } from "./journal.js";

/**
 * How the messages hang together: each follows the one before it and none says so (`line`), each says so (`chain`), or
 * some go back to an earlier one (`branches`). A parent that is not there could have been any message; it makes no branch.
 */
export function formOf(items: readonly Item[]): "line" | "chain" | "branches" {
  const ids = new Set(items.map(({ message }) => message.id));
  let form: "line" | "chain" = "line";
  let last: string | null = null;
  let isOver = false;
  for (const { message } of items) {
    const { id, parentId } = message;
    if (parentId !== undefined) {
      if (isOver) return "branches";
      // Nothing can follow it.
      isOver = id === undefined;
      const isRoot = parentId === null && form === "line";
      if (parentId !== last && !isRoot && (parentId === null || ids.has(parentId))) return "branches";
      form = "chain";
    }
    last = id ?? last;
  }
  return form;
}

/** Lets every message of a chain follow the one before it, also those that were added. */
export function relink(items: readonly Item[], journal: Journal): Item[] {
  const ids = new Set(items.map(({ message }) => message.id));
  const resultIds = new ResultIds(ids);
  let caller = "first";
  let last: string | null = null;
  let isLinked = false;
  let previous: AgentMessage | undefined;
  return items.map((item) => {
    const { parentId } = item.message;
    const wasAdded = item.source === undefined;
    let next = item;
    if (wasAdded) {
      // It says what it follows if the message does that it was added to, and can be followed.
      if (previous?.parentId !== undefined && previous.id !== undefined) {
        next = { message: { ...item.message, id: resultIds.next(caller), parentId: last } };
      }
    } else if (parentId !== undefined && parentId !== last && (parentId !== null || isLinked)) {
      const code = parentId !== null && !ids.has(parentId) ? "tree/missing-parent" : "tree/relinked";
      const what = `let the message follow the one before it, ${last === null ? "none" : `"${last}"`}`;
      journal.change(item.source, ["parentId"], { code, what, before: parentId, after: last });
      next = { ...item, message: { ...item.message, parentId: last } };
    }
    if (item.message.role === "assistant") caller = item.message.id ?? caller;
    isLinked ||= parentId !== undefined;
    last = next.message.id ?? last;
    previous = next.message;
    return next;
  });
}

/** Ids of results that were added, each after the message that makes the call: `b-result`, `b-result-2`. */
class ResultIds {
  readonly #taken: ReadonlySet<AgentMessage["id"]>;
  readonly #counts = new Map<string, number>();

  constructor(taken: ReadonlySet<AgentMessage["id"]>) {
    this.#taken = taken;
  }

  next(caller: string): string {
    let count = this.#counts.get(caller) ?? 0;
    let id: string;
    do id = `${caller}-result${++count === 1 ? "" : `-${count}`}`;
    while (this.#taken.has(id));
    this.#counts.set(caller, count);
    return id;
  }
}
