import { createHash } from "node:crypto";
import type { AgentMessage } from "../../core/types.js";
import { idempotencyKeyOf } from "../idempotency-key.js";
import type { Position } from "../types.js";
import type { Statement } from "./connection.js";

const ONCE = 1;
const DUE = 2;
const CLEAR_DUE = 4;

/** A message's idempotency key, with the place of its line in the append. */
interface PlacedKey {
  key: string;
  offset: number;
  end: number;
}

/** The lines of one append. */
export interface Lines {
  /** With their line ends. */
  text: string;
  /** The offset of each line, in bytes. */
  offsets: readonly number[];
  bytes: number;
  keys: readonly PlacedKey[];
}

/** One append, or the end of being due. */
export interface Item extends Lines {
  session: string;
  expect?: Position | undefined;
  /** Of the session's lease, which `process` holds. */
  fence?: number | undefined;
  process?: string | undefined;
  once?: boolean | undefined;
  due?: boolean | undefined;
  clearDue?: boolean | undefined;
}

export interface Outcome {
  outcome: "stored" | "before" | "moved" | "fenced" | "missing";
  at: Position;
  until: Position;
}

/** Appends to one session that are stored together or not at all. */
export interface Group {
  items: Item[];
  bytes: number;
  /** Of all items. */
  keys: Set<string>;
}

/** @param lines with their line ends, as `serialiseMessages` returns them */
export function linesOf(messages: readonly AgentMessage[], lines: readonly string[]): Lines {
  const offsets: number[] = [];
  const keys: PlacedKey[] = [];
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    const offset = bytes;
    offsets.push(offset);
    bytes += Buffer.byteLength(line);
    const message = messages[index];
    const key = message === undefined ? undefined : idempotencyKeyOf(message);
    if (key !== undefined) keys.push({ key: hashOf(key), offset, end: bytes });
  }
  const [first] = lines;
  return { text: lines.length === 1 && first !== undefined ? first : lines.join(""), offsets, bytes, keys };
}

/** Keys have any length and any characters. */
function hashOf(key: string): string {
  return createHash("sha256").update(JSON.stringify(key)).digest("base64url");
}

export function groupOf(item: Item): Group {
  return { items: [item], bytes: item.bytes, keys: new Set(item.keys.map(({ key }) => key)) };
}

/**
 * Adds an item to a group if the same conditions decide about both. A group whose items must be stored once is refused as a whole
 * if one of their keys is known; its items are then sent one by one.
 */
export function joinGroup(group: Group, item: Item): boolean {
  const [first] = group.items;
  if (first === undefined || first.expect !== undefined || item.expect !== undefined) return false;
  if (first.fence !== item.fence || first.due !== item.due || first.once !== item.once) return false;
  if (item.once === true && item.keys.some(({ key }) => group.keys.has(key))) return false;
  group.items.push(item);
  group.bytes += item.bytes;
  for (const { key } of item.keys) group.keys.add(key);
  return true;
}

/** @param groups at most one for each session */
export function batchStatement(
  writer: string,
  batch: number,
  process: string | undefined,
  groups: readonly Group[],
): Statement {
  const lineGroups: number[] = [];
  const lineOffsets: number[] = [];
  const keys: (PlacedKey & { group: number })[] = [];
  const texts: string[] = [];
  for (const [index, { items }] of groups.entries()) {
    let start = 0;
    for (const item of items) {
      texts.push(item.text);
      for (const offset of item.offsets) {
        lineGroups.push(index + 1);
        lineOffsets.push(start + offset);
      }
      for (const { key, offset, end } of item.keys) {
        keys.push({ group: index + 1, key, offset: start + offset, end: start + end });
      }
      start += item.bytes;
    }
  }
  const firsts = groups.flatMap(({ items: [first] }) => first ?? []);
  return {
    name: "append",
    text: `select starts::text as starts, refused from append_lines(
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    values: [
      writer,
      batch,
      process ?? null,
      arrayText(firsts.map(({ session }) => session)),
      arrayText(firsts.map(({ expect }) => expect)),
      arrayText(firsts.map(({ fence }) => fence)),
      arrayText(firsts.map(flagsOf)),
      arrayText(groups.map(({ bytes }) => bytes)),
      texts.join("").slice(0, -1),
      arrayText(lineGroups),
      arrayText(lineOffsets),
      firsts.some(({ once }) => once === true),
      arrayText(keys.map(({ group }) => group)),
      arrayText(keys.map(({ key }) => key)),
      arrayText(keys.map(({ offset }) => offset)),
      arrayText(keys.map(({ end }) => end)),
    ],
  };
}

/** An array as PostgreSQL writes it. The driver would quote and escape each element. */
function arrayText(elements: readonly (string | number | undefined)[]): string {
  const texts = elements.map((one) => (typeof one === "string" ? `"${one}"` : (one ?? "NULL")));
  return `{${texts.join(",")}}`;
}

function flagsOf({ once, due, clearDue }: Item): number {
  return (once === true ? ONCE : 0) + (due === true ? DUE : 0) + (clearDue === true ? CLEAR_DUE : 0);
}

/** What the statement returns. */
export interface BatchRow {
  starts: string | null;
  refused: (Outcome & { n: number })[] | null;
}

/** The outcome of each group; undefined if the database did not answer for this batch. */
export function outcomesIn({ starts, refused }: BatchRow, groups: readonly Group[]): Outcome[] | undefined {
  if (starts === null) return undefined;
  const refusals = new Map(refused?.map(({ n, ...outcome }) => [n - 1, outcome]));
  return starts
    .slice(1, -1)
    .split(",")
    .map((start, index): Outcome => {
      const at = Number(start);
      const bytes = groups[index]?.bytes ?? 0;
      return refusals.get(index) ?? { outcome: "stored", at, until: at + bytes };
    });
}
