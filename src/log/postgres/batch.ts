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

/** One append, or the end of being due. */
export interface Item {
  session: string;
  /** Without line ends. */
  lines: readonly string[];
  /** The offset of each line. */
  offsets: readonly number[];
  bytes: number;
  keys: readonly PlacedKey[];
  expect?: Position | undefined;
  fence?: number | undefined;
  once?: boolean | undefined;
  due?: boolean | undefined;
  clearDue?: boolean | undefined;
}

export interface Outcome {
  outcome: "stored" | "before" | "moved" | "fenced" | "missing";
  at: Position;
  until: Position;
}

/** @param lines with their line ends, as `serialiseMessages` returns them */
export function linesOf(
  messages: readonly AgentMessage[],
  lines: readonly string[],
): Pick<Item, "lines" | "offsets" | "bytes" | "keys"> {
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
  return { lines: lines.map((line) => line.slice(0, -1)), offsets, bytes, keys };
}

/** Keys have any length and any characters. */
function hashOf(key: string): string {
  return createHash("sha256").update(JSON.stringify(key)).digest("base64url");
}

/** @param process under whose id the leases are held */
export function batchStatement(
  writer: string,
  batch: number,
  process: string | undefined,
  items: readonly Item[],
): Statement {
  const keys = items.flatMap(({ session, keys }, index) =>
    keys.map((key) => ({ item: index + 1, session, ...key })),
  );
  const entries = items.flatMap(({ lines, offsets }, index) =>
    lines.map((line, n) => ({ item: index + 1, offset: offsets[n], line })),
  );
  return {
    name: "append",
    text: `select item, outcome, at::float8 as at, until::float8 as until from append_batch(
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    values: [
      writer,
      batch,
      process ?? null,
      items.map(({ session }) => session),
      items.map(({ expect }) => expect ?? null),
      items.map(({ fence }) => fence ?? null),
      items.map(flagsOf),
      items.map(({ bytes }) => bytes),
      keys.map(({ item }) => item),
      keys.map(({ session }) => session),
      keys.map(({ key }) => key),
      keys.map(({ offset }) => offset),
      keys.map(({ end }) => end),
      entries.map(({ item }) => item),
      entries.map(({ offset }) => offset),
      entries.map(({ line }) => line),
    ],
  };
}

function flagsOf({ once, due, clearDue }: Item): number {
  return (once === true ? ONCE : 0) + (due === true ? DUE : 0) + (clearDue === true ? CLEAR_DUE : 0);
}

/**
 * How many items from the beginning of a queue can go together: each sees the keys that were stored before the batch, so a
 * second item that must be stored once for the same key waits for the next batch, and so do those after it.
 */
export function fittingItems(queue: readonly Item[], maxBytes: number): number {
  const seen = new Set<string>();
  let bytes = 0;
  for (const [index, { session, keys, once, bytes: size }] of queue.entries()) {
    const own = keys.map(({ key }) => `${session} ${key}`);
    const isRepeated = once === true && own.some((key) => seen.has(key));
    if (index > 0 && (bytes + size > maxBytes || isRepeated)) return index;
    for (const key of own) seen.add(key);
    bytes += size;
  }
  return queue.length;
}
