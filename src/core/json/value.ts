/** Any value JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = Record<string, unknown>;

/** True for what JSON writes with braces. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy that fields can be added to. To a copy made by spreading V8 adds each at the cost of ten such copies. */
export function copyOf(object: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key in object) setOwn(copy, key, object[key]);
  return copy;
}

/** Sets an own property, also for `__proto__`, which plain assignment would turn into a change of prototype. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
