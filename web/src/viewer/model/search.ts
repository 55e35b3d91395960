import { isObject } from "dragoman/core";
import type { Item } from "../../transcript/items.js";
import type { Part } from "../../transcript/parts.js";
import { type Row, storedRows } from "../../transcript/rows.js";
import type { YieldToPage } from "../work/slices.js";

/** A row that contains the text. */
export interface Hit {
  item: Item;
  /** The row's key. */
  key: string;
}

/** Rows between two looks at the clock. */
const BATCH = 64;

/** Finds the rows that contain a text, ignoring case. Calls back with all hits so far whenever it has paused, and at the end. */
export async function findRows(
  items: readonly Item[],
  query: string,
  {
    breathe,
    signal,
    onHits,
  }: { breathe: YieldToPage; signal: AbortSignal; onHits: (hits: readonly Hit[]) => void },
): Promise<void> {
  const sought = query.toLowerCase();
  const hits: Hit[] = [];
  for (const [at, row] of storedRows(items).entries()) {
    if (at % BATCH === 0) {
      await breathe();
      if (signal.aborted) return;
    }
    const hit = hitIn(row, sought);
    if (hit !== undefined) hits.push(hit);
  }
  onHits(hits);
}

function hitIn({ key, content }: Row, sought: string): Hit | undefined {
  if (content.type !== "stored") return undefined;
  for (const text of textsOf(content.part)) {
    if (text.toLowerCase().includes(sought)) return { item: content.item, key };
  }
  return undefined;
}

/** The texts that a part shows, also those that are folded away. */
function* textsOf(part: Part): Generator<string> {
  switch (part.type) {
    case "piece":
      yield part.piece.text;
      break;
    case "thinking":
      yield part.text;
      break;
    case "tool": {
      yield part.call.name;
      yield* stringsIn(part.call.arguments);
      for (const block of part.result?.content ?? []) if (block.type === "text") yield block.text;
      break;
    }
    case "media":
      yield part.block.name ?? "";
      break;
    case "json":
      yield part.title;
      yield* stringsIn(part.value);
      break;
    case "note":
      yield part.title;
      yield part.text ?? "";
      break;
    case "usage":
      yield part.model;
  }
}

/** The names, texts and numbers in a value. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "number" || typeof value === "boolean") yield String(value);
  else if (Array.isArray(value)) for (const one of value) yield* stringsIn(one);
  else if (isObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      yield name;
      yield* stringsIn(one);
    }
  }
}
