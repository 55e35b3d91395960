/** Deeper values are left to JSON itself. */
const MAX_DEPTH = 32;

/** Not a value: JSON would write it differently, or leave it out. */
const NOT_PLAIN = Symbol("not plain");

/**
 * A copy of a value as it would be after being written as JSON and read back. Undefined if that has to be tried: for values
 * other than plain data, such as NaN, dates and instances of classes, and for very deep ones. Costs a tenth of reading it back,
 * because strings are not copied.
 */
export function plainCopy(value: object): unknown {
  const copy = copyOf(value, MAX_DEPTH);
  return copy === NOT_PLAIN ? undefined : copy;
}

function copyOf(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // JSON has no negative zero.
      return Number.isFinite(value) ? value + 0 : NOT_PLAIN;
    case "object":
      if (value === null) return null;
      if (depth === 0) return NOT_PLAIN;
      return Array.isArray(value) ? copyOfArray(value, depth - 1) : copyOfObject(value, depth - 1);
    default:
      return NOT_PLAIN;
  }
}

function copyOfArray(values: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (const value of values) {
    const member = copyOf(value, depth);
    if (member === NOT_PLAIN) return NOT_PLAIN;
    copy.push(member);
  }
  return copy;
}

function copyOfObject(value: object, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return NOT_PLAIN;
  const copy: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined) continue;
    const member = name === "__proto__" ? NOT_PLAIN : copyOf(given, depth);
    if (member === NOT_PLAIN) return NOT_PLAIN;
    copy[name] = member;
  }
  return copy;
}
