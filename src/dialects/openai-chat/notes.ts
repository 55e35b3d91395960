import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations, fromPointers, restore } from "../../core/records/deviation.js";
import { ownNotes } from "../../core/records/own-notes.js";
import type { Ext, OpaqueContent } from "../../core/types.js";
import { NAME } from "./wire.js";

const own = ownNotes(NAME);
export const { withNotes } = own;

/** This dialect's notes on a message, a block, a tool or a call. */
export function notesOf(holder: { ext?: Ext }): JsonObject {
  return withFields(own.notesOf(holder));
}

/** How an object differs from the one that we would write, at every depth, because servers add fields everywhere. */
export function deviation(written: JsonObject, ours: JsonObject): JsonObject {
  return { ...deviations(written, ours, { inside: "all" }) };
}

export function restoreNoted(ours: JsonObject, noted: unknown): JsonObject {
  return restore(ours, isObject(noted) ? withFields(noted) : undefined);
}

/** Reads the older form of notes in stored logs: `{"set":{"/function/x":1},"unset":["/type"]}`. */
function withFields({ set, unset, ...notes }: JsonObject): JsonObject {
  return set === undefined && unset === undefined ? notes : { ...notes, ...fromPointers(set, unset) };
}

/** The field of a message that contained an opaque block. */
type Place = "content" | "tool_calls" | "reasoning_details";

export function opaqueIn(place: Place, value: JsonObject): OpaqueContent {
  return withNotes<OpaqueContent>(
    { type: "opaque", dialect: NAME, value },
    place === "content" ? {} : { place },
  );
}

/** An opaque block's value if it belongs in that field; undefined if it belongs elsewhere or to another dialect. */
export function opaqueOf(block: OpaqueContent, place: Place): JsonObject | undefined {
  if (block.dialect !== NAME || !isObject(block.value)) return undefined;
  return (notesOf(block)["place"] ?? "content") === place ? block.value : undefined;
}
