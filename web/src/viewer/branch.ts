import type { AgentMessage } from "dragoman/core";
import { type Item, itemsOf } from "../transcript/items.js";
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

/** What is shown of the first messages of a branch, and where each of them is. */
export interface Shown {
  items: Item[];
  /** The item of each position on the branch; a message that is not shown by itself has the one before it. */
  itemOf: number[];
  /** The position of the message that each item begins with. */
  positionOf: number[];
}

export function shownOf({ messages }: Branch, count: number): Shown {
  const some = messages.slice(0, count);
  const items = itemsOf(some);
  const homes = new Map<AgentMessage, number>();
  for (const [at, { message, parts }] of items.entries()) {
    homes.set(message, at);
    for (const part of parts)
      if (part.type === "tool" && part.result !== undefined) homes.set(part.result, at);
  }
  const itemOf: number[] = [];
  const positionOf: number[] = new Array<number>(items.length).fill(0);
  for (const [position, message] of some.entries()) {
    const home = homes.get(message);
    if (home !== undefined && items[home]?.message === message) positionOf[home] = position;
    itemOf.push(home ?? itemOf.at(-1) ?? 0);
  }
  return { items, itemOf, positionOf };
}
