import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";

// Both functions skip the fields in `except`. Copying the object without them (`{ known, ...rest }`) would cost more than
// all other work for a chunk.

const NONE: ReadonlySet<string> = new Set();

/** Merges a piece of an object into the earlier ones: appends to texts and lists, replaces the rest. */
export function merge(target: JsonObject, piece: JsonObject, except = NONE): void {
  for (const key in piece) {
    if (except.has(key)) continue;
    const value = piece[key];
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    if (value === null && before !== undefined) continue;
    if (typeof before === "string" && typeof value === "string") setOwn(target, key, before + value);
    else if (Array.isArray(before) && Array.isArray(value)) for (const member of value) before.push(member);
    else if (isObject(before) && isObject(value)) merge(before, value);
    else
      setOwn(
        target,
        key,
        Array.isArray(value) ? [...value] : isObject(value) ? structuredClone(value) : value,
      );
  }
}

/** Copies the fields of a later object, except those that are null or empty. */
export function update(target: JsonObject, later: JsonObject, except = NONE): void {
  for (const key in later) {
    const value = later[key];
    if (value !== null && value !== "" && !except.has(key)) setOwn(target, key, value);
  }
}
