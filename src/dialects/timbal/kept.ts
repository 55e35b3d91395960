import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Ext } from "../../core/types.js";

/** What a record said that the model has no place for, under `ext.timbal` of the message or block it became. */
export interface Kept {
  /** The stream. */
  s?: string;
  /** The id, where the one it would be given otherwise is another. */
  i?: string;
  /** The time, where it is not spelled as we would. */
  t?: unknown;
  /** A block that has no time though its message has one. */
  untimed?: true;
  /** The frame's fields that nobody knows. */
  frame?: JsonObject;
  /** The value's fields that the model has no place for, or says otherwise. */
  fields?: JsonObject;
  /** The value's fields that were not there. */
  absent?: string[];
  /** Its type is nobody's, though it does not begin with `x-`. */
  bare?: true;
}

export function keptIn(ext: Ext | undefined): Kept {
  const noted = ext?.["timbal"];
  if (!isObject(noted)) return {};
  const { s, i, t, untimed, frame, fields, absent, bare } = noted;
  return {
    ...(typeof s === "string" ? { s } : {}),
    ...(typeof i === "string" ? { i } : {}),
    ...(t === undefined ? {} : { t }),
    ...(untimed === true ? { untimed } : {}),
    ...(isObject(frame) ? { frame: harmless(frame) } : {}),
    ...(isObject(fields) ? { fields } : {}),
    ...(Array.isArray(absent) ? { absent: absent.filter((name) => typeof name === "string") } : {}),
    ...(bare === true ? { bare } : {}),
  };
}

/** The fields that are nobody's. With one of the protocol's own among them a reader would ignore the frame, or misread it. */
function harmless(frame: JsonObject): JsonObject {
  const { i: _i, t: _t, v: _v, s: _s, c: _c, a: _a, m, ...others } = frame;
  return isObject(m) && !Object.hasOwn(m, "content") ? { ...others, m } : others;
}

/** `{ ext }` with what is to be kept; nothing when there is nothing. */
export function extOf(kept: Kept, synthesised: readonly string[] = [], others?: Ext): { ext?: Ext } {
  const ext: Ext = { ...others };
  if (synthesised.length > 0) ext.synthesised = [...(others?.synthesised ?? []), ...synthesised];
  if (Object.keys(kept).length > 0) ext["timbal"] = kept;
  return Object.keys(ext).length > 0 ? { ext } : {};
}

/** Whether an `ext` says nothing under our own name. */
export function isForeign(ext: unknown): ext is Ext {
  return isObject(ext) && !Object.hasOwn(ext, "timbal");
}

/** The same without what `extOf` adds. */
export function othersIn(ext: Ext | undefined): Ext | undefined {
  if (ext === undefined) return undefined;
  const { timbal: _, ...others } = ext;
  return Object.keys(others).length > 0 ? others : undefined;
}

/** The value with what was kept of it. */
export function restore(value: JsonObject, { fields, absent }: Kept): JsonObject {
  const restored = { ...value, ...fields };
  for (const name of absent ?? []) Reflect.deleteProperty(restored, name);
  return restored;
}
