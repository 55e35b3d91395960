import type { AgentMessage } from "dragoman/core";
import type { Item } from "../../transcript/items.js";
import { type Moment, momentsOf, type Totals, totalsOf } from "./timeline.js";
import { pathTo, type Segment, type Tree } from "./tree.js";

/** One path through a transcript, from its start to a leaf. */
export interface Branch {
  /** Undefined if the transcript has no branches. */
  end: Segment | undefined;
  /** The indices of its messages in the transcript. */
  path: readonly number[];
  messages: readonly AgentMessage[];
  moments: readonly Moment[];
  totals: Totals;
}

export function branchTo(all: readonly AgentMessage[], tree: Tree, end: Segment | undefined): Branch {
  const path = pathTo(tree, end);
  const moments = momentsOf(all, path);
  const messages = path.flatMap((index) => all[index] ?? []);
  return { end, path, messages, moments, totals: totalsOf(moments) };
}

/** The item that shows a message: its call's if it is a result, the next one if it is not shown. */
export function itemFor(items: readonly Item[], { messages }: Branch, position: number): Item | undefined {
  const itemOf = new Map<AgentMessage, Item>();
  for (const item of items) for (const message of messagesIn(item)) itemOf.set(message, item);
  for (const message of messages.slice(position)) {
    const item = itemOf.get(message);
    if (item !== undefined) return item;
  }
  return items.at(-1);
}

/** An item's message, and the results of its calls. A result without its call is the message itself. */
export function messagesIn({ message, parts }: Item): AgentMessage[] {
  const results = parts.flatMap((part) =>
    part.type === "tool" && part.result !== undefined && part.result !== message ? [part.result] : [],
  );
  return [message, ...results];
}
