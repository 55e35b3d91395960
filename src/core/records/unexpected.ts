import { DragomanError } from "../error.js";
import { isObject } from "../json/value.js";

/** The error for JSON that cannot be read: where (a pointer), what should be there, and what is. */
export function unexpected(at: string, expected: string, found: unknown, hint?: string): DragomanError {
  return new DragomanError("model/invalid", `expected ${expected}, found ${nameOf(found)}`, {
    at,
    ...(hint === undefined ? {} : { hint }),
  });
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  return JSON.stringify(value)?.slice(0, 40) ?? "nothing";
}
