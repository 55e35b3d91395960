import type { JsonRecord } from "../../core/dialect.js";
import { isObject, sameJson, setOwn } from "../../core/json/value.js";
import type { Deviations } from "./wire.js";

/** Compared member by member, so that one unknown member does not mean keeping the others twice. */
const OPEN = new Set(["metadata", "toolCall", "toolResult"]);

/** What makes `turn` of what we would have written; undefined when nothing is to be done. */
export function deviations(turn: JsonRecord, written: JsonRecord): Deviations | undefined {
  const absent: string[] = [];
  const fields = difference(turn, written, "", absent);
  if (fields === undefined) return absent.length > 0 ? { absent } : undefined;
  return absent.length > 0 ? { turn: fields, absent } : { turn: fields };
}

function difference(is: JsonRecord, would: JsonRecord, at: string, absent: string[]): JsonRecord | undefined {
  let fields: JsonRecord | undefined;
  for (const key of Object.keys(is)) {
    const value = is[key];
    if (value === would[key]) continue;
    const expected = Object.hasOwn(would, key) ? would[key] : undefined;
    if (sameJson(value, expected)) continue;
    const open = at === "" && OPEN.has(key) && isObject(value) && isObject(expected);
    const kept = open ? difference(value, expected, `/${key}`, absent) : value;
    if (kept === undefined) continue;
    fields ??= {};
    setOwn(fields, key, kept);
  }
  for (const key of Object.keys(would)) if (!Object.hasOwn(is, key)) absent.push(`${at}/${key}`);
  return fields;
}

/** The turn that the deviations were found in. The role is never among them: who speaks is for the message to say. */
export function deviate(written: JsonRecord, { turn = {}, absent = [] }: Deviations): JsonRecord {
  const result = { ...written, ...turn };
  if (written["role"] !== undefined) result["role"] = written["role"];
  for (const key of OPEN) {
    if (isObject(written[key]) && isObject(turn[key])) result[key] = { ...written[key], ...turn[key] };
  }
  for (const pointer of absent) {
    const [, key = "", member] = pointer.split("/");
    const parent = result[key];
    if (member === undefined) Reflect.deleteProperty(result, key);
    else if (isObject(parent)) result[key] = without(parent, member);
  }
  return result;
}

function without(object: JsonRecord, key: string): JsonRecord {
  const { [key]: _, ...rest } = object;
  return rest;
}
