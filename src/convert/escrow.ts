import { type Decoded, ESCROW, type JsonRecord } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { formatPointer, isPointer, parsePointer, resolvePointer } from "../core/json/pointer.js";
import { isObject, setOwn } from "../core/json/value.js";
import type { AgentMessage } from "../core/types.js";
import { is } from "../core/validate.js";
import { align, differences } from "./compare.js";

/** A source message, as a change to a decoded one or whole. */
type Recipe = { from: number; set?: Record<string, unknown>; unset?: string[] } | { whole: AgentMessage };

/**
 * In the first record of a unit: the dialect it was written in, because records of two dialects can look alike; the
 * unit's number of records; the roles of the messages they decode to; and, if these differ from the source, the source
 * messages.
 */
export interface Escrow {
  in: string;
  span: number;
  of: string[];
  messages?: Recipe[];
}

/** The escrow that restores `source` from records that decode to `back`. */
export function makeEscrow(
  source: readonly AgentMessage[],
  back: readonly AgentMessage[],
  { dialect, span }: { dialect: string; span: number },
): Escrow {
  const partners = align(source, back);
  let faithful = source.length === back.length;
  const messages = source.map((message, index): Recipe => {
    const from = partners[index];
    if (from === undefined) {
      faithful = false;
      return { whole: message };
    }
    const recipe = change(message, back[from], from);
    if (from !== index || recipe.set !== undefined || recipe.unset !== undefined) faithful = false;
    return recipe;
  });
  const of = back.map(({ role }) => role);
  return { in: dialect, span, of, ...(faithful ? {} : { messages }) };
}

function change(source: AgentMessage, back: AgentMessage | undefined, from: number) {
  const set: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const { path, kind } of differences(source, back)) {
    // An array of another length is replaced whole, because positions after the difference would not match.
    const array = path.findIndex(
      (token, depth) => typeof token === "number" && uneven(source, back, path.slice(0, depth)),
    );
    const pointer = formatPointer(array < 0 ? path : path.slice(0, array));
    if (kind === "extra" && array < 0) unset.push(pointer);
    else set[pointer] = resolvePointer(source, pointer);
  }
  const whole = [...reordered(source, back, [])].map(formatPointer);
  const isApart = (pointer: string) => whole.every((above) => !pointer.startsWith(`${above}/`));
  const changed = [
    ...Object.entries(set).filter(([pointer]) => isApart(pointer)),
    ...whole.map((pointer) => [pointer, resolvePointer(source, pointer)] as const),
  ];
  const removed = unset.filter(isApart);
  return {
    from,
    ...(changed.length > 0 ? { set: Object.fromEntries(changed) } : {}),
    ...(removed.length > 0 ? { unset: removed } : {}),
  };
}

/**
 * Objects whose keys would end up in another order if each were changed separately: arguments that a dialect writes as
 * text would become another text. The order of our own fields in messages and blocks does not matter.
 */
function* reordered(
  source: unknown,
  back: unknown,
  path: readonly (string | number)[],
): Generator<(string | number)[]> {
  if (Array.isArray(source) && Array.isArray(back)) {
    if (source.length !== back.length) return;
    for (const [index, member] of source.entries()) yield* reordered(member, back[index], [...path, index]);
  } else if (isObject(source) && isObject(back)) {
    const keys = Object.keys(source);
    const kept = Object.keys(back).filter((key) => Object.hasOwn(source, key));
    const isOurs = path.length === 0 || (path.length === 2 && path[0] === "content");
    const isInOrder = kept.every((key, index) => key === keys[index]);
    if (!isInOrder && !isOurs) return yield [...path];
    for (const key of kept) yield* reordered(source[key], back[key], [...path, key]);
  }
}

function uneven(source: unknown, back: unknown, path: (string | number)[]): boolean {
  const pointer = formatPointer(path);
  const [left, right] = [resolvePointer(source, pointer), resolvePointer(back, pointer)];
  return Array.isArray(left) && Array.isArray(right) && left.length !== right.length;
}

/** Removes the escrow from a unit's first record. A field of that name that is not an escrow stays. */
export function extractEscrow(record: JsonRecord): { record: JsonRecord; escrow: Escrow | undefined } {
  if (!Object.hasOwn(record, ESCROW)) return { record, escrow: undefined };
  const escrow = record[ESCROW];
  if (!claimsToBeEscrow(escrow)) return { record, escrow: undefined };
  if (!isEscrow(escrow)) throw damaged("is damaged");
  return { record: withoutField(record), escrow };
}

/** How many records, starting with this one, its escrow covers: 0 without an escrow, 1 if it is damaged. */
export function spanOf(record: JsonRecord): number {
  const escrow = record[ESCROW];
  if (!claimsToBeEscrow(escrow)) return 0;
  return isEscrow(escrow) ? escrow.span : 1;
}

/** A record without a field that a reader would mistake for our escrow. */
export function unsealed(record: JsonRecord): JsonRecord {
  return claimsToBeEscrow(record[ESCROW]) ? withoutField(record) : record;
}

/** A record without any field of that name. */
export function withoutField(record: JsonRecord): JsonRecord {
  const { [ESCROW]: _, ...rest } = record;
  return rest;
}

/** The dialect a record was written in, if its escrow states it. */
export function writtenIn(record: JsonRecord): string | undefined {
  const escrow = record[ESCROW];
  return isEscrow(escrow) ? escrow.in : undefined;
}

/**
 * Requires that the unit is complete and read in the dialect it was written in. Called before decoding, because other
 * records may have taken the place of missing ones.
 */
export function requireUnit({ in: writer, span }: Escrow, reader: string, records: number): void {
  if (writer !== reader) {
    const hint = `read it with --from ${writer}, or remove the field to read the records without its data`;
    throw refusal(`was written in ${writer}, but is read as ${reader}`, hint);
  }
  if (records !== span) throw damaged(`covers ${span} records, but there are ${records}`);
}

/** The source messages of a unit with escrow. */
export function openEscrow({ of, messages }: Escrow, decoded: Decoded[]): Decoded[] {
  const fits = decoded.length === of.length && decoded.every(({ message }, at) => message.role === of[at]);
  if (!fits) throw damaged("was written for other messages");
  if (messages === undefined) return decoded;
  return messages.map((recipe) => {
    if ("whole" in recipe) return { message: recipe.whole, record: 0 };
    const from = decoded[recipe.from];
    if (from === undefined) throw damaged(`changes message ${recipe.from}, which does not exist`);
    const message = structuredClone(from.message);
    for (const [pointer, value] of Object.entries(recipe.set ?? {})) put(message, pointer, value);
    for (const pointer of recipe.unset ?? []) put(message, pointer, undefined);
    if (!is("AgentMessage", message)) throw damaged("does not result in a valid message");
    return { ...from, message: recipe.set?.["/details"] === undefined ? message : inOrder(message) };
  });
}

/** A result with `details` back in the model's key order, because files are also compared as text. */
function inOrder(message: AgentMessage): AgentMessage {
  if (message.role !== "toolResult") return message;
  const { role, toolCallId, toolName, content, details, ...rest } = message;
  return { role, toolCallId, toolName, content, details, ...rest };
}

function put(target: object, pointer: string, value: unknown): void {
  const tokens = parsePointer(pointer);
  const last = tokens.pop();
  const parent = resolvePointer(target, formatPointer(tokens));
  if (last !== undefined && isObject(parent)) {
    if (value === undefined) Reflect.deleteProperty(parent, last);
    else setOwn(parent, last, value);
  } else if (Array.isArray(parent) && value !== undefined && resolvePointer(target, pointer) !== undefined) {
    // An array keeps its length: one with another length is replaced whole.
    parent[Number(last)] = value;
  } else throw damaged(`changes ${pointer}, which does not exist`);
}

function claimsToBeEscrow(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, "span");
}

function isEscrow(value: unknown): value is Escrow {
  if (!isObject(value)) return false;
  const { in: writer, span, of, messages } = value;
  if (typeof writer !== "string" || !Number.isInteger(span) || Number(span) < 1 || !isStrings(of))
    return false;
  return messages === undefined || (Array.isArray(messages) && messages.every(isRecipe));
}

function isRecipe(value: unknown): value is Recipe {
  if (!isObject(value)) return false;
  const { whole, from, set, unset } = value;
  if (Object.hasOwn(value, "whole")) return from === undefined && is("AgentMessage", whole);
  return (
    Number.isInteger(from) &&
    (set === undefined || (isObject(set) && Object.keys(set).every(isPointer))) &&
    (unset === undefined || (isStrings(unset) && unset.every(isPointer)))
  );
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}

function damaged(what: string): DragomanError {
  return refusal(what, "the records were edited; remove the field to read them without its data");
}

function refusal(what: string, hint: string): DragomanError {
  return new DragomanError("convert/bad-escrow", `the ${ESCROW} field ${what}`, { at: `/0/${ESCROW}`, hint });
}
