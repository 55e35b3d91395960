import { isObject } from "./value.js";

/**
 * `JSON.stringify` with sorted keys: the same text for any order of keys.
 *
 * @example
 * stableJson({ b: 1, a: { d: 2, c: 3 } }); // '{"a":{"c":3,"d":2},"b":1}'
 */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (isObject(member) ? inKeyOrder(member) : member));
}

function inKeyOrder(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, object[key]]),
  );
}
