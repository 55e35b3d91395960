import { isObject, type JsonObject, setOwn } from "../json/value.js";
import type { Ext } from "../types.js";

/** The fields of a message that a record carries: without those that the record has itself, and with this `ext`. */
export function carriedFields(message: object, apart: ReadonlySet<string>, ext: Ext | undefined): JsonObject {
  const fields: JsonObject = {};
  if (!isObject(message)) return fields;
  for (const key in message) if (key !== "ext" && !apart.has(key)) setOwn(fields, key, message[key]);
  if (ext !== undefined) fields["ext"] = ext;
  return fields;
}
