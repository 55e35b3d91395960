import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";

// Both pass over the fields that the caller reads itself. To leave them out with `{ known, ...rest }` first would cost
// more than all else that is done for a chunk.

const NONE: ReadonlySet<string> = new Set();

/** Adds a piece of an object to what came before it: texts and lists grow, the rest is replaced. */
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

/** Takes over what a later object says; what it leaves empty stays. */
export function update(target: JsonObject, later: JsonObject, except = NONE): void {
  for (const key in later) {
    const value = later[key];
    if (value !== null && value !== "" && !except.has(key)) setOwn(target, key, value);
  }
}
