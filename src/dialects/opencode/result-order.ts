import { isNumber, type JsonObject } from "../../core/json/value.js";
import type { AssistantContent, ToolResultMessage } from "../../core/types.js";

/*
 * Results are in the order of their calls, unless the record of an answer states another one. The field is ours: opencode
 * has none and ignores unknown fields.
 *
 *     { info, parts: [call a, call b], resultOrder: [1, 0] }     the result of call b arrived first
 */
const FIELD = "resultOrder";

/** The result of each call. One answers the first call with its id that has none. */
export function resultsByCall(
  content: readonly AssistantContent[],
  results: readonly ToolResultMessage[],
): ReadonlyMap<AssistantContent, ToolResultMessage> {
  const open = new Map<string, ToolResultMessage[]>();
  for (const result of results) {
    const waiting = open.get(result.toolCallId);
    if (waiting === undefined) open.set(result.toolCallId, [result]);
    else waiting.push(result);
  }
  const found = new Map<AssistantContent, ToolResultMessage>();
  for (const block of content) {
    const result = block.type === "toolCall" ? open.get(block.id)?.shift() : undefined;
    if (result !== undefined) found.set(block, result);
  }
  return found;
}

/** The field for the order in which results arrived; nothing if it is that of their calls. */
export function writeOrder(
  byCall: ReadonlyMap<AssistantContent, ToolResultMessage>,
  arrived: readonly ToolResultMessage[],
): JsonObject {
  const places = new Map([...byCall.values()].map((result, place) => [result, place]));
  const order = arrived.flatMap((result) => places.get(result) ?? []);
  return isInOrder(order) ? {} : { [FIELD]: order };
}

/** The results of an answer in the order in which they arrived. */
export function inOrder(
  record: JsonObject,
  results: readonly ToolResultMessage[],
): readonly ToolResultMessage[] {
  const order: unknown = record[FIELD];
  if (!Array.isArray(order) || order.length !== results.length) return results;
  const places = new Set(order.filter(isNumber));
  const arrived = [...places].flatMap((place) => results[place] ?? []);
  return arrived.length === results.length ? arrived : results;
}

function isInOrder(places: readonly number[]): boolean {
  return places.every((place, index) => place === index);
}
