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
  /** Without their line ends. */
  lines: readonly string[];
  /** The offset of each line, in bytes. */
  offsets: readonly number[];
  /** With their line ends. */
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

/** @param lines as `serialiseMessages` returns them */
export function linesOf(messages: readonly AgentMessage[], lines: readonly string[]): Lines {
  const offsets: number[] = [];
  const keys: PlacedKey[] = [];
  let bytes = 0;
  for (const line of lines) {
    const offset = bytes;
    const message = messages[offsets.length];
    offsets.push(offset);
    bytes += Buffer.byteLength(line) + 1;
    const key = message === undefined ? undefined : idempotencyKeyOf(message);
    if (key !== undefined) keys.push({ key: hashOf(key), offset, end: bytes });
  }
  return { lines, offsets, bytes, keys };
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

  /** Reports what became of each item. */
  report(whole: Outcome, results: { set(item: Item, outcome: Outcome): unknown }): void {
    let at = whole.at;
    for (const item of this.items) {
      const until = at + item.lines.bytes;
      results.set(item, whole.outcome === "stored" ? { outcome: "stored", at, until } : whole);
      at = until;
    }
  }

  #addKeys({ lines: { keys } }: Item): void {
    if (keys.length === 0) return;
    this.#keys ??= new Set();
    for (const { key } of keys) this.#keys.add(key);
  }
}
