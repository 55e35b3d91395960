import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Ext } from "../../core/types.js";
import { NAME } from "./wire.js";

/** How a record differs from the one we would write: enough to write it as it was. */
interface Deviation {
  fields?: JsonObject;
  absent?: string[];
}

/** Undefined when they are the same. */
export function deviation(plain: object, actual: JsonObject): Deviation | undefined {
  const expected: JsonObject = { ...plain };
  const fields = Object.entries(actual).filter(
    ([key, value]) => !Object.hasOwn(expected, key) || !same(expected[key], value),
  );
  const absent = Object.keys(expected).filter((key) => !Object.hasOwn(actual, key));
  if (fields.length === 0 && absent.length === 0) return undefined;
  return {
    ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
    ...(absent.length > 0 ? { absent } : {}),
  };
}

/** Undoes `deviation`. What comes from `ext` may be anything. */
export function deviate(plain: object, from: unknown): JsonObject {
  if (!isObject(from)) return { ...plain };
  const { fields, absent } = from;
  const missing: readonly unknown[] = Array.isArray(absent) ? absent : [];
  return Object.fromEntries(
    Object.entries({ ...plain, ...(isObject(fields) ? fields : {}) }).filter(
      ([key]) => !missing.includes(key),
    ),
  );
}

/** What `ext` keeps for this dialect. */
export function ownOf({ ext }: { ext?: Ext }): JsonObject {
  const own = ext?.[NAME];
  return isObject(own) ? own : {};
}

/** The same with what is there of `own` in `ext`; a value that is undefined is not there. */
export function withOwn<T extends { ext?: Ext }>(target: T, own: JsonObject): T {
  const there = Object.entries(own).filter(([, value]) => value !== undefined);
  return there.length === 0
    ? target
    : { ...target, ext: { ...target.ext, [NAME]: Object.fromEntries(there) } };
}

function same(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, index) => same(value, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
    );
  }
  return left === right;
}
