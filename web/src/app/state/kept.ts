import { isObject, type JsonObject } from "dragoman/core";
import type { BrowserStorage } from "../../gateway/token.js";

/** The object stored under a name; empty if it is missing or was damaged by the user. */
export function readStored(keeper: BrowserStorage, name: string): JsonObject {
  const text = keeper.getItem(name);
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
