import type { AgentMessage } from "../types.js";
import { type Half, Pairing, type Verdict, type When } from "./pairing.js";

/** A call (a block of a message) or a result (a whole message). */
export interface CallRef<T> {
  item: T;
  block: number;
}

export type PairedCall<T> = Half<CallRef<T>>;

export interface PairedResult<T> {
  result: T;
  when: When;
}

/** Which result belongs to which call. */
export interface Pairs<T> {
  /** In the order of the conversation. */
  calls: PairedCall<T>[];
  answers: Map<CallRef<T>, PairedResult<T>>;
  /** Interim results, superseded by a final one if there is one. */
  pending: Map<CallRef<T>, PairedResult<T>[]>;
  /** Calls that reuse an earlier call's id. */
  repeated: Set<CallRef<T>>;
  duplicates: T[];
  orphans: T[];
}

/** Finds the result of each call of a conversation; `Pairing` has the rules. */
export function pairUp<T extends { message: AgentMessage }>(items: readonly T[]): Pairs<T> {
  const pairing = new Pairing<CallRef<T>>();
  const pairs: Pairs<T> = {
    calls: [],
    answers: new Map(),
    pending: new Map(),
    repeated: new Set(),
    duplicates: [],
    orphans: [],
  };
  for (const item of items) {
    const { message } = item;
    if (message.role === "toolResult") {
      const { toolCallId: id, toolName: name, isPending = false } = message;
      collect(pairing.result({ id, name, spot: { item, block: -1 }, isPending }), pairs);
    }
    if (message.role !== "user" && message.role !== "assistant") continue;
    const calls = callsIn(item);
    for (const call of calls) pairs.calls.push(call);
    collect(pairing.turn(calls), pairs);
  }
  collect(pairing.finish(), pairs);
  return pairs;
}

function collect<T>(verdicts: Iterable<Verdict<CallRef<T>>>, pairs: Pairs<T>): void {
  for (const verdict of verdicts) {
    switch (verdict.kind) {
      case "answered":
        pairs.answers.set(verdict.call.spot, { result: verdict.result.spot.item, when: verdict.when });
        break;
      case "pending": {
        const { spot } = verdict.call;
        const interim = { result: verdict.result.spot.item, when: verdict.when };
        const before = pairs.pending.get(spot);
        if (before === undefined) pairs.pending.set(spot, [interim]);
        else before.push(interim);
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

function callsIn<T extends { message: AgentMessage }>(item: T): PairedCall<T>[] {
  const { message } = item;
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block, index) =>
    block.type === "toolCall" ? [{ id: block.id, name: block.name, spot: { item, block: index } }] : [],
  );
}
