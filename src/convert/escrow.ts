import type { Decoded, JsonRecord } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { formatPointer, isPointer, parsePointer, resolvePointer } from "../core/json/pointer.js";
import { isObject, setOwn } from "../core/json/value.js";
import type { AgentMessage } from "../core/types.js";
import { is } from "../core/validate.js";
import { align, differences } from "./compare.js";

/** The one extra field in which a record carries what its dialect cannot say. */
export const ESCROW = "x-dragoman";

/** A source message as a change of one that the records decode to, or whole. */
type Recipe = { from: number; set?: Record<string, unknown>; unset?: string[] } | { whole: AgentMessage };

/**
 * Stands in the first record of a unit: how many records the unit has, and, when they alone do not say it, the
 * messages they are to give.
 */
interface Escrow {
  span: number;
  messages?: Recipe[];
}

/** What must be put beside `records` so that reading them gives `source`, though they decode to `back`. */
export function makeEscrow(
  source: readonly AgentMessage[],
  back: readonly AgentMessage[],
  span: number,
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
  return faithful ? { span } : { span, messages };
}

function change(source: AgentMessage, back: AgentMessage | undefined, from: number) {
  const set: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const { path, kind } of differences(source, back)) {
    // An array of another length is replaced whole: positions after the difference would not match.
    const array = path.findIndex(
      (token, depth) => typeof token === "number" && uneven(source, back, path.slice(0, depth)),
    );
    const pointer = formatPointer(array < 0 ? path : path.slice(0, array));
    if (kind === "extra" && array < 0) unset.push(pointer);
    else set[pointer] = resolvePointer(source, pointer);
  }
  return {
    from,
    ...(Object.keys(set).length > 0 ? { set } : {}),
    ...(unset.length > 0 ? { unset } : {}),
  };
}

function uneven(source: unknown, back: unknown, path: (string | number)[]): boolean {
  const pointer = formatPointer(path);
  const [left, right] = [resolvePointer(source, pointer), resolvePointer(back, pointer)];
  return Array.isArray(left) && Array.isArray(right) && left.length !== right.length;
}

/** Takes the escrow off the first record of a unit. */
export function takeEscrow(record: JsonRecord): { record: JsonRecord; escrow: Escrow | undefined } {
  if (!Object.hasOwn(record, ESCROW)) return { record, escrow: undefined };
  const { [ESCROW]: escrow, ...rest } = record;
  return isEscrow(escrow) ? { record: rest, escrow } : { record, escrow: undefined };
}

/** The messages that a unit of so many records with escrow stands for. */
export function openEscrow({ span, messages }: Escrow, decoded: Decoded[], records: number): Decoded[] {
  if (records !== span) throw damaged();
  if (messages === undefined) return decoded;
  return messages.map((recipe) => {
    if ("whole" in recipe) return { message: recipe.whole, record: 0 };
    const from = decoded[recipe.from];
    if (from === undefined) throw damaged();
    const message = structuredClone(from.message);
    for (const [pointer, value] of Object.entries(recipe.set ?? {})) put(message, pointer, value);
    for (const pointer of recipe.unset ?? []) put(message, pointer, undefined);
    if (!is("AgentMessage", message)) throw damaged();
    return { ...from, message };
  });
}

function put(target: object, pointer: string, value: unknown): void {
  const tokens = parsePointer(pointer);
  const last = tokens.pop();
  const parent = resolvePointer(target, formatPointer(tokens));
  if (last === undefined || typeof parent !== "object" || parent === null) throw damaged();
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else if (isObject(parent)) setOwn(parent, last, value);
  else Reflect.set(parent, last, value);
}

function isEscrow(value: unknown): value is Escrow {
  if (!isObject(value)) return false;
  const { span, messages } = value;
  if (typeof span !== "number" || !Number.isInteger(span) || span < 1) return false;
  return messages === undefined || (Array.isArray(messages) && messages.every(isRecipe));
}

function isRecipe(value: unknown): value is Recipe {
  if (!isObject(value)) return false;
  if (Object.hasOwn(value, "whole")) return is("AgentMessage", value["whole"]);
  const { from, set = {}, unset = [] } = value;
  if (typeof from !== "number" || !isObject(set) || !Array.isArray(unset)) return false;
  return [...Object.keys(set), ...unset].every(isPointer);
}

function damaged(): DragomanError {
  return new DragomanError("convert/bad-escrow", `the ${ESCROW} field does not fit the records it is about`, {
    at: `/0/${ESCROW}`,
    hint: "they were edited after they were written; remove the field to read it without what it carried",
  });
}
