import { type JsonObject, setOwn } from "../json/value.js";
import { type Deviation, deviations } from "./deviation.js";

/**
 * How a record differs from ours, all nested objects compared; empty if it does not. The notes are the same for any order
 * of its keys, because the keys of a line have none.
 */
export function differencesOf(written: JsonObject, ours: JsonObject, guarded = false): JsonObject {
  const found = deviations(written, ours, { inside: "all", guarded });
  return found === undefined ? {} : sorted(found);
}

function sorted({ fields, absent, inside, ours }: Deviation): JsonObject {
  const result: JsonObject = {};
  if (fields !== undefined) result["fields"] = sortedKeys(fields, unchanged);
  if (absent !== undefined) result["absent"] = absent.sort();
  if (inside !== undefined) result["inside"] = sortedKeys(inside, sorted);
  if (ours !== undefined) result["ours"] = sortedKeys(ours, unchanged);
  return result;
}

/** The same object if its keys are in order. */
function sortedKeys<T>(object: Record<string, T>, map: (value: T) => unknown): JsonObject {
  if (map === unchanged && isSorted(object)) return object;
  const result: JsonObject = {};
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value !== undefined) setOwn(result, key, map(value));
  }
  return result;
}

function isSorted(object: Record<string, unknown>): boolean {
  let last: string | undefined;
  for (const key in object) {
    if ((last !== undefined && last > key) || object[key] === undefined) return false;
    last = key;
  }
  return true;
}

function unchanged<T>(value: T): T {
  return value;
}
