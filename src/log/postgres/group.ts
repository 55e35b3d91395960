import { createHash } from "node:crypto";
import type { AgentMessage } from "../../core/types.js";
import { idempotencyKeyOf } from "../idempotency-key.js";
import type { Position } from "../types.js";

/** A message's idempotency key, with the place of its line in the append. */
export interface PlacedKey {
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

export interface Conditions {
  expect?: Position | undefined;
  once?: boolean | undefined;
  due?: boolean | undefined;
  clearDue?: boolean | undefined;
}

/** One append, or the end of being due. */
export interface Item {
  session: string;
  lines: Lines;
  conditions: Conditions;
  /** Of the session's lease, which `process` holds. */
  fence: number | undefined;
  process: string | undefined;
}

export interface Outcome {
  outcome: "stored" | "before" | "moved" | "fenced" | "missing";
  at: Position;
  until: Position;
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
  return { text: lines.join(""), offsets, bytes, keys };
}

/** Keys have any length and any characters. */
function hashOf(key: string): string {
  return createHash("sha256").update(JSON.stringify(key)).digest("base64url");
}

/**
 * Appends to one session that the same conditions decide about: all of them are stored, or none. A group whose items must be
 * stored once is refused if one of their keys is known.
 */
export class Group {
  readonly first: Item;
  readonly items: Item[];
  bytes: number;
  #keys: Set<string> | undefined;

  constructor(first: Item) {
    this.first = first;
    this.items = [first];
    this.bytes = first.lines.bytes;
    this.#addKeys(first);
  }

  /** Whether the item is part of the group now. */
  tryAdd(item: Item): boolean {
    const { lines, conditions, fence } = item;
    const own = this.first.conditions;
    if (own.expect !== undefined || conditions.expect !== undefined || fence !== this.first.fence)
      return false;
    if (own.due !== conditions.due || own.once !== conditions.once) return false;
    if (conditions.once === true && lines.keys.some(({ key }) => this.#keys?.has(key))) return false;
    this.items.push(item);
    this.bytes += lines.bytes;
    this.#addKeys(item);
    return true;
  }

  /** What became of each item. */
  *outcomes({ outcome, at, until }: Outcome): Generator<[Item, Outcome]> {
    let start = at;
    for (const item of this.items) {
      const end = start + item.lines.bytes;
      yield [item, outcome === "stored" ? { outcome, at: start, until: end } : { outcome, at, until }];
      start = end;
    }
  }

  #addKeys({ lines: { keys } }: Item): void {
    if (keys.length === 0) return;
    this.#keys ??= new Set();
    for (const { key } of keys) this.#keys.add(key);
  }
}
