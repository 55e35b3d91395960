import { ESCROW } from "../dialect.js";
import { isObject, type JsonObject } from "../json/value.js";

/** Whether a value looks like our escrow, not like another program's field of that name. */
export function claimsToBeEscrow(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, "span");
}

/** Whether a value of a file has something that looks like our escrow. */
export function hasEscrow(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, ESCROW) && claimsToBeEscrow(value[ESCROW]);
}
