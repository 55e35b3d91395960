import type { AgentMessage } from "../../core/types.js";
import type { Item } from "./items.js";
import type { Journal } from "./journal.js";

/**
 * How the messages are linked: not at all (`line`), each to the one before it (`chain`), or some to an earlier one
 * (`branches`). A missing parent could have been any message, so it does not make a branch.
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
      // A message without an id cannot have children.
      isOver = id === undefined;
      const isRoot = parentId === null && form === "line";
      if (parentId !== last && !isRoot && (parentId === null || ids.has(parentId))) return "branches";
      form = "chain";
    }
    last = id ?? last;
  }
  return form;
}

/** Links every message of a chain to the one before it, including added ones. */
export function relink(items: readonly Item[], journal: Journal): Item[] {
  const ids = new Set(items.map(({ message }) => message.id));
  const newIds = new NewIds(ids);
  const parents = new Set(items.map(({ message }) => message.parentId));
  const lastLinked = items.findLastIndex(({ message }) => message.parentId !== undefined);
  const linked: Item[] = [];
  let caller = "first";
  let last: string | null = null;
  let isLinked = false;
  for (const [index, item] of items.entries()) {
    const { parentId } = item.message;
    const wasAdded = item.source === undefined;
    let next = item;
    if (wasAdded) {
      const previous = linked.at(-1);
      // An added message gets a parent if the message before it, or one after it, has one; otherwise it starts a branch.
      const before = previous?.message.parentId === undefined ? previous : named(previous, newIds, journal);
      const isInChain = before?.message.parentId !== undefined || index < lastLinked;
      if (isInChain && before?.message.id !== undefined) {
        linked[linked.length - 1] = before;
        last = before.message.id;
        if (before.message.role === "assistant") caller = before.message.id;
        next = { message: { ...item.message, id: newIds.next(`${caller}-result`), parentId: last } };
      }
    } else if (parentId !== undefined && parentId !== last && (parentId !== null || isLinked)) {
      const code = parentId !== null && !ids.has(parentId) ? "tree/missing-parent" : "tree/relinked";
      const what = `linked the message to the one before it, ${last === null ? "none" : `"${last}"`}`;
      journal.change(item.source, ["parentId"], { code, what, before: parentId, after: last });
      next = { ...item, message: { ...item.message, parentId: last } };
    }
    if (item.message.role === "assistant") caller = item.message.id ?? caller;
    isLinked ||= next.message.parentId !== undefined;
    // The first message follows the session only in files that link it so.
    if (item.message.role !== "session" || parents.has(item.message.id)) last = next.message.id ?? last;
    linked.push(next);
  }
  return linked;
}

/** The item with an id, so that an added message can follow it. */
function named(item: Item, newIds: NewIds, journal: Journal): Item {
  if (item.message.id !== undefined) return item;
  const id = newIds.next(`${item.message.parentId ?? "first"}-next`);
  const what = `gave the message the id "${id}", so that the added result can follow it`;
  journal.change(item.source, [], { code: "tree/no-id", what, after: id });
  return { ...item, message: { ...item.message, id } };
}

/** Ids that no message has: `b-result`, `b-result-2`. */
class NewIds {
  readonly #taken: ReadonlySet<AgentMessage["id"]>;
  readonly #counts = new Map<string, number>();

  constructor(taken: ReadonlySet<AgentMessage["id"]>) {
    this.#taken = taken;
  }

  next(wanted: string): string {
    let count = this.#counts.get(wanted) ?? 0;
    let id: string;
    do id = ++count === 1 ? wanted : `${wanted}-${count}`;
    while (this.#taken.has(id));
    this.#counts.set(wanted, count);
    return id;
  }
}
