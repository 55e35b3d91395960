import type { AgentMessage } from "dragoman/core";
import type { Item } from "../../transcript/items.js";
import { type Moment, momentsOf, type Totals, totalsOf } from "./timeline.js";
import { pathTo, type Segment, type Tree } from "./tree.js";

/** One way through a transcript, from its beginning to one of its ends. */
export interface Branch {
  /** Undefined for a transcript that is no tree. */
  end: Segment | undefined;
  /** Which messages of the transcript are on it. */
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

/** Where among the items a message is: with its call if it is a result; where the next one is if it is not shown. */
export function itemFor(items: readonly Item[], { messages }: Branch, position: number): Item | undefined {
  const homes = new Map<AgentMessage, Item>();
  for (const item of items) for (const message of messagesIn(item)) homes.set(message, item);
  for (const message of messages.slice(position)) {
    const home = homes.get(message);
    if (home !== undefined) return home;
  }
  return items.at(-1);
}

/** The message of an item, and the results of the calls in it. */
export function messagesIn({ message, parts }: Item): AgentMessage[] {
  const results = parts.flatMap((part) =>
    part.type === "tool" && part.result !== undefined ? [part.result] : [],
  );
  return [message, ...results];
}
