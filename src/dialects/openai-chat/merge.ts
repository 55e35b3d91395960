import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";

/** Adds a piece of an object to what came before it: texts and lists grow, the rest is replaced. */
export function merge(target: JsonObject, piece: JsonObject): void {
  for (const [key, value] of Object.entries(piece)) {
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    if (value === null && before !== undefined) continue;
    if (typeof before === "string" && typeof value === "string") setOwn(target, key, before + value);
    else if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
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
export function update(target: JsonObject, later: JsonObject): void {
  for (const [key, value] of Object.entries(later)) {
    if (value !== null && value !== "") setOwn(target, key, value);
  }
}
