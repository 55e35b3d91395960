import { LF } from "../../framing/bytes.js";
import type { Waiting } from "../commit-queue.js";
import type { Statement } from "./connection.js";
import { Group, type Item, type Outcome, type PlacedKey } from "./group.js";

const MAX_ITEMS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;
const ONCE = 1;
const DUE = 2;
const CLEAR_DUE = 4;

/**
 * Removes the next batch from what waits: of each session, the items from the first one on that are one group; the others wait
 * for the next batch. The leases of a batch are held under one id: a process changes its id only after it has lost all of
 * them.
 */
export function chooseBatch<W extends Waiting<Item>>(waiting: W[]): { chosen: W[]; groups: Group[] } {
  const chosen: W[] = [];
  const left: W[] = [];
  const groups = new Map<string, Group>();
  /** Sessions with an item that is left. */
  const blocked = new Set<string>();
  let process: string | undefined;
  let bytes = 0;
  for (const one of waiting.splice(0, MAX_ITEMS)) {
    const { item } = one;
    const { session } = item;
    const isFull = chosen.length > 0 && bytes + item.lines.bytes > MAX_BYTES;
    const isOfOther = item.process !== undefined && process !== undefined && item.process !== process;
    const group = groups.get(session);
    if (isFull || isOfOther || blocked.has(session) || group?.tryAdd(item) === false) {
      blocked.add(session);
      left.push(one);
      continue;
    }
    if (group === undefined) groups.set(session, new Group(item));
    process ??= item.process;
    bytes += item.lines.bytes;
    chosen.push(one);
  }
  waiting.unshift(...left);
  return { chosen, groups: [...groups.values()].sort(bySession) };
}

/** So that all processes lock sessions in the same order. */
function bySession(one: Group, other: Group): number {
  return one.first.session < other.first.session ? -1 : 1;
}

/**
 * @param groups at most one for each session
 * @param bufferOf a buffer of this size for the lines, which is the statement's until it was executed
 */
export function batchStatement(
  writer: string,
  batch: number,
  groups: readonly Group[],
  bufferOf: (bytes: number) => Buffer,
): Statement {
  const text = bufferOf(groups.reduce((sum, { bytes }) => sum + bytes, 0));
  const places = writeLines(groups, text);
  const process = groups.find(({ first }) => first.process !== undefined)?.first.process ?? null;
  const [only] = groups;
  const isOne = only !== undefined && groups.length === 1 && places.keys.length === 0;
  const { values, ...statement } = isOne ? appendOne(only, places) : appendAll(groups, places);
  // Without the last line end. The driver copies what it has of a statement when a value does not fit, so the lines are last.
  return { ...statement, values: [writer, batch, process, ...values, text.subarray(0, -1)] };
}

/** Where lines and keys are: the number of their group, from 1, and their offset in it. */
interface Places {
  lineGroups: number[];
  lineOffsets: number[];
  keys: (PlacedKey & { group: number })[];
}

function writeLines(groups: readonly Group[], text: Buffer): Places {
  const places: Places = { lineGroups: [], lineOffsets: [], keys: [] };
  let written = 0;
  let group = 0;
  for (const { items } of groups) {
    group += 1;
    let start = 0;
    for (const { lines } of items) {
      for (const line of lines.lines) {
        written += text.write(line, written);
        text[written++] = LF;
      }
      for (const offset of lines.offsets) {
        places.lineGroups.push(group);
        places.lineOffsets.push(start + offset);
      }
      for (const { key, offset, end } of lines.keys) {
        places.keys.push({ group, key, offset: start + offset, end: start + end });
      }
      start += lines.bytes;
    }
  }
  return places;
}

/** A statement that lacks what all of them have: writer, batch, process, and the lines. */
type Part = Statement & { values: readonly unknown[] };

function appendOne(group: Group, { lineOffsets }: Places): Part {
  const { session, conditions, fence } = group.first;
  const { expect = null } = conditions;
  return {
    name: "append-one",
    text: "select starts::text as starts, refused from append_group($1, $2, $3, $4, $5, $6, $7, $8, $10, $9)",
    values: [session, expect, fence ?? null, flagsOf(group), group.bytes, arrayText(lineOffsets)],
  };
}

function appendAll(groups: readonly Group[], { lineGroups, lineOffsets, keys }: Places): Part {
  return {
    name: "append",
    text: `select starts::text as starts, refused from append_groups(
      $1, $2, $3, $4, $5, $6, $7, $8, $16, $9, $10, $11, $12, $13, $14, $15)`,
    values: [
      arrayText(groups.map(({ first }) => `"${first.session}"`)),
      arrayText(groups.map(({ first }) => first.conditions.expect)),
      arrayText(groups.map(({ first }) => first.fence)),
      arrayText(groups.map(flagsOf)),
      arrayText(groups.map(({ bytes }) => bytes)),
      arrayText(lineGroups),
      arrayText(lineOffsets),
      groups.some(({ first }) => first.conditions.once),
      arrayText(keys.map(({ group }) => group)),
      arrayText(keys.map(({ key }) => `"${key}"`)),
      arrayText(keys.map(({ offset }) => offset)),
      arrayText(keys.map(({ end }) => end)),
    ],
  };
}

/** An array as PostgreSQL writes it. The driver would escape each element. */
function arrayText(elements: readonly (string | number | undefined)[]): string {
  return `{${elements.map((one) => one ?? "NULL").join(",")}}`;
}

function flagsOf({ first: { conditions } }: Group): number {
  const { once, due, clearDue } = conditions;
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
  const positions = starts.slice(1, -1).split(",");
  return groups.map(({ bytes }, index): Outcome => {
    const at = Number(positions[index]);
    return refusals.get(index) ?? { outcome: "stored", at, until: at + bytes };
  });
}
