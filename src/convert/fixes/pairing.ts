import type { Api } from "../../core/api/provider.js";
import { isSynthesised } from "../../core/message/neutral.js";
import {
  type CallRef,
  type PairedCall,
  type PairedResult,
  type Pairs,
  pairUp,
} from "../../core/message/pairs.js";
import { claim } from "../../core/records/admit.js";
import type { AssistantMessage, ToolResultMessage } from "../../core/types.js";
import { type NewId, newIds } from "./ids.js";
import { type Item, setAside } from "./items.js";
import type { Journal } from "./journal.js";

type Call = PairedCall<Item>;

/** The text of an added result. */
const MISSING_RESULT = "no result was recorded for this call";

/** Gives every call a unique id and one result, right after it. Results without a call are set aside. */
export function fixPairing(items: readonly Item[], journal: Journal, api?: Api): Item[] {
  const pairs = pairUp(items);
  const ids = newIds(pairs, api);
  const leaving = setUnpairedAside(pairs, journal);
  const replaced = renameCalls(pairs.calls, ids, journal);
  /** The results to insert right after an item. */
  const followers = new Map<Item, Item[]>();
  const anchors = lastResults(items, pairs);
  const follow = (call: Call, follower: Item) => {
    const anchor = anchors.get(call.spot.item) ?? call.spot.item;
    const siblings = followers.get(anchor);
    if (siblings === undefined) followers.set(anchor, [follower]);
    else siblings.push(follower);
  };
  for (const call of pairs.calls) {
    const id = ids.get(call.spot);
    for (const paired of resultsOf(call, pairs)) {
      if (paired.when === "in time") {
        replaced.set(paired.result, matchToCall(paired.result, call, id, journal));
        continue;
      }
      leaving.add(paired.result);
      follow(call, moveResult(paired, call, id, journal));
    }
    if (!pairs.answers.has(call.spot)) follow(call, addMissingResult(call, id, journal));
  }
  return items.flatMap((item) => [
    ...(leaving.has(item) ? [] : [replaced.get(item) ?? item]),
    ...(followers.get(item) ?? []),
  ]);
}

/** The interim results of a call, and the final one if there is one. */
function resultsOf({ spot }: Call, { answers, pending }: Pairs<Item>): PairedResult<Item>[] {
  const answer = answers.get(spot);
  return [...(pending.get(spot) ?? []), ...(answer === undefined ? [] : [answer])];
}

/** For each calling message, the last result that is already in place. */
function lastResults(items: readonly Item[], pairs: Pairs<Item>): Map<Item, Item> {
  const position = new Map(items.map((item, index) => [item, index]));
  const last = new Map<Item, Item>();
  for (const call of pairs.calls) {
    const { item } = call.spot;
    for (const { result, when } of resultsOf(call, pairs)) {
      if (when !== "in time") continue;
      const sofar = position.get(last.get(item) ?? item) ?? 0;
      if ((position.get(result) ?? 0) > sofar) last.set(item, result);
    }
  }
  return last;
}

/** The results that belong to no call, or to a call that already has one. */
function setUnpairedAside({ duplicates, orphans, answers }: Pairs<Item>, journal: Journal): Set<Item> {
  const kept = new Set(
    duplicates.length === 0 ? [] : [...answers.values()].map(({ result }) => contentKey(result)),
  );
  for (const item of duplicates) {
    if (kept.has(contentKey(item))) {
      const what = "removed an exact copy of a result";
      journal.change(item.source, [], { code: "pairing/duplicate-result", what, before: item.message });
    } else setAside(item, "its call already has another result", journal);
  }
  for (const item of orphans) setAside(item, "its call is missing", journal);
  return new Set([...duplicates, ...orphans]);
}

/** A result's content and call, without its time. */
function contentKey({ message }: Item): string {
  if (message.role !== "toolResult") return "";
  const { toolCallId, content, isError, details } = message;
  return JSON.stringify([toolCallId, content, isError, details]);
}

/** The messages whose calls get new ids, by the original item. */
function renameCalls(
  calls: readonly Call[],
  ids: Map<CallRef<Item>, NewId>,
  journal: Journal,
): Map<Item, Item> {
  const idsIn = new Map<Item, Map<number, string>>();
  for (const { id: before, spot } of calls) {
    const given = ids.get(spot);
    if (given === undefined) continue;
    const { id, code } = given;
    const what = `gave the call and its result the id "${id}"`;
    journal.change(spot.item.source, ["content", spot.block, "id"], { code, what, before, after: id });
    const sofar = idsIn.get(spot.item) ?? new Map<number, string>();
    idsIn.set(spot.item, sofar.set(spot.block, id));
  }
  return new Map([...idsIn].map(([item, byBlock]) => [item, withIds(item, byBlock)]));
}

function withIds(item: Item, ids: ReadonlyMap<number, string>): Item {
  if (item.message.role !== "assistant") return item;
  const content: AssistantMessage["content"] = item.message.content.map((block, index) => {
    const id = ids.get(index);
    return id !== undefined && block.type === "toolCall"
      ? claim({ ...block, id }, ["id", "toolCallId"])
      : block;
  });
  const pointers = [...ids.keys()].map((block) => `/content/${block}/id`);
  return { ...item, message: claim({ ...item.message, content }, pointers) };
}

/** The result with its call's id and tool name. */
function matchToCall(item: Item, call: Call, given: NewId | undefined, journal: Journal): Item {
  if (item.message.role !== "toolResult") return item;
  const id = given?.id ?? call.id;
  const { toolCallId, toolName } = item.message;
  // Some dialects do not name a result's tool; there is nothing to correct then.
  const isUnnamed = isSynthesised(item.message, "/toolName");
  const isNamed = toolName === call.name || (toolName === "" && isUnnamed);
  if (toolCallId === id && isNamed) return item;
  // A call's new id is reported at the call.
  if (toolCallId !== call.id) {
    const what = `gave the result its call's id, "${id}"`;
    const change = { code: "pairing/empty-id", what, before: toolCallId, after: id };
    journal.change(item.source, ["toolCallId"], change);
  }
  if (!isNamed) {
    const what = `gave the result its call's tool name, "${call.name}"`;
    const change = { code: "pairing/name-mismatch", what, before: toolName, after: call.name };
    journal.change(item.source, ["toolName"], change);
  }
  const message = { ...item.message, toolCallId: id, toolName: isNamed ? toolName : call.name };
  return { ...item, message: claim(message, ["/toolCallId", "toolCallId"]) };
}

function moveResult(
  answer: PairedResult<Item>,
  call: Call,
  given: NewId | undefined,
  journal: Journal,
): Item {
  const what = `moved the result right after its call "${given?.id ?? call.id}"`;
  journal.change(answer.result.source, [], { code: `pairing/${answer.when}-result`, what });
  return matchToCall(answer.result, call, given, journal);
}

function addMissingResult(call: Call, given: NewId | undefined, journal: Journal): Item {
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: given?.id ?? call.id,
    toolName: call.name,
    content: [{ type: "text", text: MISSING_RESULT }],
    isError: true,
    timestamp: call.spot.item.message.timestamp,
  };
  const what = `added a result for the call "${message.toolCallId}" stating that none was recorded`;
  const change = { code: "pairing/unanswered", what, after: message };
  journal.change(call.spot.item.source, ["content", call.spot.block], change);
  return { message };
}
