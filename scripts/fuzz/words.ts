import { parsePieces, slotsIn } from "./pieces.js";

/** Texts from the sources, for use where they do not belong. */
export interface Words {
  keys: string[];
  texts: string[];
  values: unknown[];
}

const MOST_CHARACTERS = 2000;

export function wordsOf(sources: readonly string[]): Words {
  const keys = new Set<string>();
  const texts = new Set<string>();
  const values = new Set<string>();
  for (const { parent, key } of sources.flatMap((source) => slotsIn(parsePieces(source).values))) {
    const value: unknown = Reflect.get(parent, key);
    if (!Array.isArray(parent)) keys.add(key);
    if (typeof value === "string") texts.add(value);
    const text = JSON.stringify(value);
    if (text.length <= MOST_CHARACTERS) values.add(text);
  }
  return { keys: [...keys], texts: [...texts], values: [...values].map((text) => JSON.parse(text)) };
}
