/** Any value JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = Record<string, unknown>;

/** True for what JSON writes with braces. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** A number that JSON can write. */
export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Whether an object or an array has nothing in it. */
export function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

/** A copy that fields can be added to. To a copy made by spreading V8 adds each at the cost of ten such copies. */
export function copyOf(object: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key in object) setOwn(copy, key, object[key]);
  return copy;
}

/** The value of an own property; undefined if there is none. What an object inherits is nothing that JSON can hold. */
export function own<T>(object: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property, also for `__proto__`, which plain assignment would turn into a change of prototype. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** Whether JSON would write the same, but for the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((member, index) => sameJson(member, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
