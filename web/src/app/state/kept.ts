import { isObject, type JsonObject } from "dragoman/core";
import type { Keeper } from "../../gateway/token.js";

/** What the browser has kept under a name. It is the user's to delete and to spoil: what is not ours counts as nothing. */
export function readKept(keeper: Keeper, name: string): JsonObject {
  const text = keeper.getItem(name);
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
