import { isObject, type JsonObject } from "./value.js";

/** Deeper values are left to JSON itself. */
const MAX_DEPTH = 32;

/**
 * A copy of an object as it would be after being written as JSON and read back. Undefined if that has to be tried: for values
 * other than plain data, such as NaN, dates and instances of classes, and for very deep ones. Costs a twentieth of reading it
 * back, because strings are not copied.
 */
export function plainCopy(value: object): JsonObject | undefined {
  return isObject(value) ? copyOfObject(value, MAX_DEPTH) : undefined;
}

/** Undefined for what JSON would write differently, or leave out. */
function copyOf(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // JSON has no negative zero.
      return Number.isFinite(value) ? value + 0 : undefined;
    case "object":
      if (value === null) return null;
      if (depth === 0) return undefined;
      if (Array.isArray(value)) return copyOfArray(value, depth - 1);
      return isObject(value) ? copyOfObject(value, depth - 1) : undefined;
    default:
      return undefined;
  }
}

function copyOfArray(values: readonly unknown[], depth: number): unknown[] | undefined {
  const copy: unknown[] = [];
  for (const value of values) {
    const member = copyOf(value, depth);
    if (member === undefined) return undefined;
    copy.push(member);
  }
  return copy;
}

function copyOfObject(value: JsonObject, depth: number): JsonObject | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const copy: JsonObject = {};
  // A quarter of the time of `Object.entries`.
  for (const name of Object.keys(value)) {
    const given = value[name];
    if (given === undefined) continue;
    const member = name === "__proto__" ? undefined : copyOf(given, depth);
    if (member === undefined) return undefined;
    copy[name] = member;
  }
  return copy;
}
