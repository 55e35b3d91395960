import type { ToolResultMessage } from "../../core/types.js";
import { type Half, Pairing, type Verdict } from "../meaning/pairing.js";
import type { Item } from "./items.js";

/** A call, as the block of a message, or a result, which is a whole message. */
export interface Ref {
  item: Item;
  block: number;
}

export type Call = Half<Ref>;

export interface Answer {
  result: Item;
  when: "in time" | "early" | "late";
}

/** Which result belongs to which call. */
export interface Pairs {
  /** In the order of the conversation. */
  calls: Call[];
  answers: Map<Ref, Answer>;
  /** Results that a final one supersedes, or would. */
  pending: Map<Ref, Item[]>;
  /** Calls with the id of an earlier one. */
  repeated: Set<Ref>;
  duplicates: Item[];
  orphans: Item[];
}

export function pairUp(items: readonly Item[]): Pairs {
  const pairing = new Pairing<Ref>();
  const pairs: Pairs = {
    calls: [],
    answers: new Map(),
    pending: new Map(),
    repeated: new Set(),
    duplicates: [],
    orphans: [],
  };
  for (const item of items) {
    if (item.message.role === "toolResult") take(pairing.result(resultIn(item, item.message)), pairs);
    if (item.message.role !== "user" && item.message.role !== "assistant") continue;
    const calls = callsIn(item);
    for (const call of calls) pairs.calls.push(call);
    take(pairing.turn(calls), pairs);
  }
  take(pairing.finish(), pairs);
  return pairs;
}

function take(verdicts: Iterable<Verdict<Ref>>, pairs: Pairs): void {
  for (const verdict of verdicts) {
    switch (verdict.kind) {
      case "answered":
        pairs.answers.set(verdict.call.spot, { result: verdict.result.spot.item, when: verdict.when });
        break;
      case "pending": {
        const { spot } = verdict.call;
        pairs.pending.set(spot, [...(pairs.pending.get(spot) ?? []), verdict.result.spot.item]);
        break;
      }
      case "duplicate id":
        pairs.repeated.add(verdict.call.spot);
        break;
      case "duplicate result":
        pairs.duplicates.push(verdict.result.spot.item);
        break;
      case "orphan result":
        pairs.orphans.push(verdict.result.spot.item);
        break;
      case "unanswered":
    }
  }
}

function resultIn(item: Item, { toolCallId, toolName, isPending = false }: ToolResultMessage): Call {
  return { id: toolCallId, name: toolName, spot: { item, block: -1 }, isPending };
}

function callsIn(item: Item): Call[] {
  const { message } = item;
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block, index) =>
    block.type === "toolCall" ? [{ id: block.id, name: block.name, spot: { item, block: index } }] : [],
  );
}
