import { isObject, type JsonObject } from "../../src/core/json/value.js";

/** Ends the check of a request. */
export class Refusal extends Error {}

export function refuseIf(condition: boolean, message: string): void {
  if (condition) throw new Refusal(message);
}

export function list(value: unknown, at: string): JsonObject[] {
  if (!Array.isArray(value) || !value.every(isObject))
    throw new Refusal(`${at}: Input should be a valid list`);
  return value;
}
