import { isObject, type JsonObject } from "dragoman/core";

/** As much of the browser's storage as is needed; tests bring their own. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

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
