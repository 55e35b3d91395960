import { isPointer, parsePointer } from "../json/pointer.js";
import { isEmpty, isObject, type JsonObject, own, sameJson, setOwn } from "../json/value.js";

/**
 * How a record differs from what we would write.
 *
 * A decoder turns a record into a message. If our encoder would write a different record for that message, the decoder
 * notes the difference in `ext`, under the dialect's name, and the encoder restores it:
 *
 *     written    {"type":"text","text":"Hi","lang":"en"}
 *     ours       {"type":"text","text":"Hi","cache":null}
 *     noted      {"fields":{"lang":"en"},"absent":["cache"]}     = deviations(written, ours)
 *     written    {"type":"text","text":"Hi","lang":"en"}         = restore(ours, noted)
 *
 * A decoder that reads field by field notes the same itself: `fields` are the fields it did not read, `absent` are those it
 * had to fill in. `ownNotes` reads and writes notes in `ext`. Notes come from files: those without this shape are ignored.
 */
export interface Deviation {
  /** Fields of the record that we would not write, or would write differently. */
  fields?: JsonObject;
  /** Names of fields that we would write and the record lacked. */
  absent?: string[];
  /** The same for nested objects that were compared member by member. */
  inside?: Record<string, Deviation>;
  /** What we would have written for `fields` and `absent`. Fields edited since then are not restored. */
  ours?: JsonObject;
}

interface Comparison {
  /** Which objects are compared member by member: these at the top level, or all. */
  inside?: ReadonlySet<string> | "all";
  /** Whether to keep `ours`, for messages that may be edited before they are written. */
  guarded?: boolean;
}

/** How `written` differs from what we would write; undefined if it does not. Each value is compared once. */
export function deviations(
  written: JsonObject,
  ours: JsonObject,
  comparison: Comparison = {},
): Deviation | undefined {
  const { inside, guarded = false } = comparison;
  const found: Deviation = {};
  let common = 0;
  // The objects of JSON.parse, and ours, inherit nothing enumerable.
  for (const key in written) {
    const value = written[key];
    // An inherited member never equals a JSON value.
    if (value === ours[key] && value !== undefined) {
      common++;
      continue;
    }
    const expected = own(ours, key);
    if (Object.hasOwn(ours, key)) common++;
    if (value === expected) continue;
    if (isObject(value) && isObject(expected) && (inside === "all" || inside?.has(key) === true)) {
      const within = deviations(value, expected, inside === "all" ? comparison : { guarded });
      if (within !== undefined) found.inside = added(found.inside, key, within);
    } else if (!sameJson(value, expected)) {
      found.fields = added(found.fields, key, value);
      if (!guarded) continue;
      found.ours ??= {};
      if (expected !== undefined) setOwn(found.ours, key, expected);
    }
  }
  if (sizeOf(ours) === common) return isEmpty(found) ? undefined : found;
  for (const key in ours) {
    if (Object.hasOwn(written, key)) continue;
    found.absent ??= [];
    found.absent.push(key);
    if (guarded) found.ours = added(found.ours, key, ours[key]);
  }
  return isEmpty(found) ? undefined : found;
}

/** The number of keys, without a list of them. */
function sizeOf(object: JsonObject): number {
  let size = 0;
  for (const _ in object) size++;
  return size;
}

/** The same with sorted keys, so that it does not depend on the order of the record's fields. */
export function stableDeviations(
  written: JsonObject,
  ours: JsonObject,
  comparison: Comparison = {},
): Deviation | undefined {
  return sorted(deviations(written, ours, comparison));
}

function sorted(deviation: Deviation | undefined): Deviation | undefined {
  if (deviation === undefined) return undefined;
  const { fields, absent, inside, ours } = deviation;
  return {
    ...(fields === undefined ? {} : { fields: sortedEntries(fields, (value) => value) }),
    ...(absent === undefined ? {} : { absent: [...absent].sort() }),
    ...(inside === undefined ? {} : { inside: sortedEntries(inside, (within) => sorted(within) ?? {}) }),
    ...(ours === undefined ? {} : { ours: sortedEntries(ours, (value) => value) }),
  };
}

function sortedEntries<T, U>(object: Record<string, T>, map: (value: T) => U): Record<string, U> {
  const result: Record<string, U> = {};
  for (const key of Object.keys(object).sort()) setOwn(result, key, map(object[key] as T));
  return result;
}

/** The original record: `ours` itself if nothing was noted, otherwise a copy. */
export function restore(ours: JsonObject, noted: unknown): JsonObject {
  if (!isObject(noted)) return ours;
  if (noted["fields"] === undefined && noted["absent"] === undefined && noted["inside"] === undefined)
    return ours;
  const { fields = {}, absent = [], inside = {}, ours: before } = readDeviation(noted);
  if (isEmpty(fields) && absent.length === 0 && isEmpty(inside)) return ours;
  const isEdited = (key: string) => before !== undefined && !sameJson(own(ours, key), own(before, key));
  const record = { ...ours };
  for (const key of Object.keys(fields)) if (!isEdited(key)) setOwn(record, key, fields[key]);
  for (const key of absent) if (!isEdited(key)) Reflect.deleteProperty(record, key);
  for (const key of Object.keys(inside)) {
    const value = own(ours, key);
    if (isObject(value)) setOwn(record, key, restore(value, inside[key]));
  }
  return record;
}

/** The deviation among the notes, as far as it is valid. */
function readDeviation({
  fields,
  absent,
  inside,
  ours,
}: JsonObject): Omit<Deviation, "inside"> & { inside?: JsonObject } {
  return {
    ...(isObject(fields) ? { fields } : {}),
    ...(Array.isArray(absent) ? { absent: absent.filter((name) => typeof name === "string") } : {}),
    ...(isObject(inside) ? { inside } : {}),
    ...(isObject(ours) ? { ours } : {}),
  };
}

/** Whether the record lacked a field that we would write. */
export function isAbsent({ absent }: JsonObject, name: string): boolean {
  return Array.isArray(absent) && absent.includes(name);
}

/** The notes without these fields, which are then written our way. */
export function forget(noted: JsonObject, ...names: string[]): JsonObject {
  const { fields, absent } = readDeviation(noted);
  const isKept = (name: string) => !names.includes(name);
  return {
    ...noted,
    ...(fields && { fields: Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name))) }),
    ...(absent && { absent: absent.filter(isKept) }),
  };
}

/** Our record with additional fields that the model does not have. Ours come first and cannot be replaced. */
export function withFields<T extends JsonObject>(ours: T, fields: unknown): T {
  return isObject(fields) && !isEmpty(fields) ? { ...ours, ...fields, ...ours } : ours;
}

/** The deviation for JSON pointers: values that differed, and fields that were absent. */
export function fromPointers(values: unknown, absent: unknown): Deviation {
  const root: Deviation = {};
  for (const [pointer, value] of Object.entries(isObject(values) ? values : {})) {
    const { at, key } = placeIn(root, pointer);
    if (key !== undefined) at.fields = added(at.fields, key, value);
  }
  for (const pointer of Array.isArray(absent) ? absent : []) {
    const { at, key } = placeIn(root, pointer);
    if (key === undefined) continue;
    at.absent ??= [];
    at.absent.push(key);
  }
  return root;
}

/** The object a pointer leads to, and the key in it; no key if it is not a pointer. */
function placeIn(root: Deviation, pointer: unknown): { at: Deviation; key?: string } {
  if (typeof pointer !== "string" || !isPointer(pointer)) return { at: root };
  const tokens = parsePointer(pointer);
  const key = tokens.pop() ?? "";
  let at = root;
  for (const token of tokens) {
    at.inside ??= {};
    const within = own(at.inside, token) ?? {};
    setOwn(at.inside, token, within);
    at = within;
  }
  return { at, key };
}

function added<T>(object: Record<string, T> | undefined, key: string, value: T): Record<string, T> {
  const grown = object ?? {};
  setOwn(grown, key, value);
  return grown;
}
