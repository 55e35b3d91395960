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

function sortedKeys<T>(object: Record<string, T>, map: (value: T) => unknown): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value !== undefined) setOwn(result, key, map(value));
  }
  return result;
}

function unchanged<T>(value: T): T {
  return value;
}
