import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import type { Ext } from "../../core/types.js";
import { NAME } from "./wire.js";

/**
 * How an object was written where we write it otherwise: each field as it is on either side, absent where it was not
 * there. A field that we would write in yet another way by now has been changed since, so it is left alone.
 *
 *     we write   {"content":"", "tool_calls":[…]}      form  {"ours":{"content":""}, "theirs":{"x":1}}
 *     they wrote {"tool_calls":[…], "x":1}
 */
export interface Form {
  ours?: JsonObject;
  theirs?: JsonObject;
}

export function formOf(ours: JsonObject, theirs: JsonObject): Form {
  const form = { ours: {}, theirs: {} };
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    if (same(own(ours, key), own(theirs, key))) continue;
    if (Object.hasOwn(ours, key)) setOwn(form.ours, key, ours[key]);
    if (Object.hasOwn(theirs, key)) setOwn(form.theirs, key, theirs[key]);
  }
  return {
    ...(Object.keys(form.ours).length > 0 ? { ours: form.ours } : {}),
    ...(Object.keys(form.theirs).length > 0 ? { theirs: form.theirs } : {}),
  };
}

/** What they wrote. Forms come from files, so what does not fit is passed over. */
export function inForm(written: JsonObject, form: unknown): JsonObject {
  if (!isObject(form)) return written;
  const ours = isObject(form["ours"]) ? form["ours"] : {};
  const theirs = isObject(form["theirs"]) ? form["theirs"] : {};
  const result = { ...written };
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    if (!same(own(written, key), own(ours, key))) continue;
    if (Object.hasOwn(theirs, key)) setOwn(result, key, theirs[key]);
    else Reflect.deleteProperty(result, key);
  }
  return result;
}

export function isPlain(form: Form): boolean {
  return form.ours === undefined && form.theirs === undefined;
}

/** What only this API can say of a message, a call or a tool. */
export function notesOf({ ext }: { ext?: Ext }): JsonObject {
  const notes = ext?.[NAME];
  return isObject(notes) ? notes : {};
}

/** The same with these notes; forms that say nothing are left out. */
export function withNotes<T extends { ext?: Ext }>(value: T, notes: JsonObject): T {
  const said = Object.entries(notes).filter(([, note]) => !isObject(note) || !isPlain(note));
  if (said.length === 0) return value;
  return { ...value, ext: { ...value.ext, [NAME]: { ...notesOf(value), ...Object.fromEntries(said) } } };
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Equal as JSON, in whatever order the keys are. */
function same(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => same(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
}
