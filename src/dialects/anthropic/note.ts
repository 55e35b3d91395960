import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import type { Ext } from "../../core/types.js";

export const NAME = "anthropic";

/** How an object of the wire differs from the one that we would write for what it says. */
export interface Note {
  /** What it says beside that, or otherwise. */
  fields?: JsonObject;
  /** What we would write and it does not have. */
  absent?: string[];
}

export function noteOf(written: JsonObject, wire: JsonObject): Note {
  const fields: JsonObject = {};
  for (const [key, value] of Object.entries(wire)) {
    if (!Object.hasOwn(written, key) || !isSame(written[key], value)) setOwn(fields, key, value);
  }
  const absent = Object.keys(written).filter((key) => !Object.hasOwn(wire, key));
  return {
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
    ...(absent.length > 0 ? { absent } : {}),
  };
}

/** The object that was noted. */
export function restore(written: JsonObject, note: unknown): JsonObject {
  if (!isObject(note)) return written;
  const { fields, absent } = note;
  const restored: JsonObject = { ...written, ...(isObject(fields) ? fields : {}) };
  const names = Array.isArray(absent) ? absent.filter((key) => typeof key === "string") : [];
  for (const key of names) Reflect.deleteProperty(restored, key);
  return restored;
}

/** What this dialect keeps under its name. */
export function noted({ ext }: { ext?: Ext }): JsonObject {
  const own = ext?.[NAME];
  return isObject(own) ? own : {};
}

/** An `ext` with these notes and these synthesised fields, or none if there is nothing to say. */
export function extWith(note: object, synthesised: string[] = []): { ext?: Ext } {
  const ext: Ext = {
    ...(synthesised.length > 0 ? { synthesised } : {}),
    ...(Object.keys(note).length > 0 ? { [NAME]: note } : {}),
  };
  return Object.keys(ext).length > 0 ? { ext } : {};
}

/** One level deep: the objects that we write anew, such as the source of an image, hold only scalars. */
function isSame(written: unknown, wire: unknown): boolean {
  if (written === wire) return true;
  if (!isObject(written) || !isObject(wire)) return false;
  const keys = Object.keys(written);
  return keys.length === Object.keys(wire).length && keys.every((key) => written[key] === wire[key]);
}

/** Adds to what this dialect keeps. */
export function keep(holder: { ext?: Ext }, key: string, value: unknown): void {
  holder.ext = { ...holder.ext, [NAME]: { ...noted(holder), [key]: value } };
}

/** The same for a list of things. */
export function append(holder: { ext?: Ext }, key: string, value: unknown): void {
  const kept = noted(holder)[key];
  keep(holder, key, [...(Array.isArray(kept) ? kept : []), value]);
}
