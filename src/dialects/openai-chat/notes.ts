import { isPointer, joinPointer, parsePointer } from "../../core/json/pointer.js";
import { isObject, type JsonObject, sameJson, setOwn } from "../../core/json/value.js";
import type { Ext, OpaqueContent } from "../../core/types.js";
import { NAME } from "./wire.js";

/** How an object was written where that is not how we would write it: values by pointer. */
export interface Deviation {
  set?: JsonObject;
  unset?: string[];
}

/** What only this API can say of a message, a block, a tool or a call. */
export function notesOf({ ext }: { ext?: Ext }): JsonObject {
  const notes = ext?.[NAME];
  return isObject(notes) ? notes : {};
}

export function withNotes<T extends object>(value: T & { ext?: Ext }, notes: object): T {
  if (Object.keys(notes).length === 0) return value;
  return { ...value, ext: { ...value.ext, [NAME]: { ...notesOf(value), ...notes } } };
}

/** The list of a message that an opaque block stood in. */
type Place = "content" | "tool_calls" | "reasoning_details";

export function opaqueIn(place: Place, value: JsonObject): OpaqueContent {
  return withNotes({ type: "opaque", dialect: NAME, value }, place === "content" ? {} : { place });
}

/** What to write into that list for an opaque block; undefined when it belongs elsewhere, or to another dialect. */
export function opaqueOf(block: OpaqueContent, place: Place): JsonObject | undefined {
  if (block.dialect !== NAME || !isObject(block.value)) return undefined;
  return (notesOf(block)["place"] ?? "content") === place ? block.value : undefined;
}

export function deviation(written: JsonObject, original: JsonObject): Deviation {
  const set: JsonObject = {};
  const unset: string[] = [];
  compare(written, original, "", set, unset);
  return { ...(Object.keys(set).length > 0 ? { set } : {}), ...(unset.length > 0 ? { unset } : {}) };
}

function compare(
  written: JsonObject,
  original: JsonObject,
  base: string,
  set: JsonObject,
  unset: string[],
): void {
  for (const [key, value] of Object.entries(original)) {
    const pointer = joinPointer(base, key);
    const ours = Object.hasOwn(written, key) ? written[key] : undefined;
    if (isObject(ours) && isObject(value)) compare(ours, value, pointer, set, unset);
    else if (!sameJson(ours, value)) set[pointer] = value;
  }
  for (const key of Object.keys(written)) {
    if (!Object.hasOwn(original, key)) unset.push(joinPointer(base, key));
  }
}

/** The original again. Notes come from files, so what does not fit is passed over. */
export function deviate(written: JsonObject, { set, unset }: JsonObject): JsonObject {
  if (set === undefined && unset === undefined) return written;
  const copy = structuredClone(written);
  for (const [pointer, value] of Object.entries(isObject(set) ? set : {})) {
    change(copy, pointer, (parent, key) => setOwn(parent, key, value));
  }
  for (const pointer of Array.isArray(unset) ? unset : []) {
    change(copy, pointer, (parent, key) => Reflect.deleteProperty(parent, key));
  }
  return copy;
}

/** Whether the original did not have it. */
export function isUnset({ unset }: JsonObject, pointer: string): boolean {
  return Array.isArray(unset) && unset.includes(pointer);
}

/** Notes without what they say of these. */
export function lift(notes: JsonObject, ...pointers: string[]): JsonObject {
  const { set, unset } = notes;
  const isKept = ([pointer]: [string, unknown]) => !pointers.includes(pointer);
  return {
    ...notes,
    ...(isObject(set) ? { set: Object.fromEntries(Object.entries(set).filter(isKept)) } : {}),
    ...(Array.isArray(unset) ? { unset: unset.filter((pointer) => !pointers.includes(pointer)) } : {}),
  };
}

function change(root: JsonObject, pointer: unknown, make: (parent: JsonObject, key: string) => void): void {
  if (typeof pointer !== "string" || !isPointer(pointer)) return;
  const tokens = parsePointer(pointer);
  const key = tokens.pop();
  let parent: unknown = root;
  for (const token of tokens) {
    parent = isObject(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
  }
  if (isObject(parent) && key !== undefined) make(parent, key);
}
