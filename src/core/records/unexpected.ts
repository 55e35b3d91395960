import { DragomanError } from "../error.js";
import { isObject } from "../json/value.js";

/** The error for unreadable JSON: where (a pointer), what was expected, and what was found. */
export function unexpected(at: string, expected: string, found: unknown, hint?: string): DragomanError {
  return new DragomanError("model/invalid", `expected ${expected}, found ${nameOf(found)}`, { at, hint });
}

/** The error for an unreadable payload of a provider's stream. */
export function badPayload(expected: string, found: unknown): DragomanError {
  const text = JSON.stringify(found)?.slice(0, 80) ?? "nothing";
  return new DragomanError("provider/bad-response", `expected ${expected} in the stream, found ${text}`, {
    details: { retryable: true },
  });
}

/** A value as an error shows it: short, however large or deep it is. */
export function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  return JSON.stringify(value)?.slice(0, 40) ?? "nothing";
}
