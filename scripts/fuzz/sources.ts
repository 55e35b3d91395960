import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { convert } from "../../src/convert/convert.js";
import { dialects } from "../../src/convert/dialects.js";
import type { DialectName } from "../../src/dialects/registry.js";
import { conversation, transcript } from "../../test/generate/conversations.js";
import { type Words, wordsOf } from "./words.js";

/** Dialects that are only written have no inputs to damage. */
const readable = (await dialects()).filter(({ reads }) => reads);

export const names = readable.map(({ name }) => name as DialectName);

/** Dialects that other dialects' conversations can be written in. */
export const writable = readable.filter(({ writes }) => writes).map(({ name }) => name as DialectName);

export interface Corpus {
  fixtures: ReadonlyMap<DialectName, readonly string[]>;
  words: Words;
}

/** The fixtures of all dialects. */
export function openCorpus(root: string): Corpus {
  const fixtures = new Map(names.map((name) => [name, fixturesIn(join(root, "conformance", name))]));
  return { fixtures, words: wordsOf([...fixtures.values()].flat()) };
}

/** Includes those that are refused. */
function fixturesIn(folder: string): string[] {
  return ["", "rejected"].flatMap((sub) =>
    readdirSync(join(folder, sub))
      .filter((file) => /\.jsonl?$/.test(file) && file !== "expected.json")
      .map((file) => readFileSync(join(folder, sub, file), "utf8")),
  );
}

/** Conversations that the dialect wrote itself, every other one with escrow; none if it is only read. */
export async function generatedIn(name: DialectName, count: number, seed: number): Promise<string[]> {
  if (!writable.includes(name)) return [];
  const conversations = fc.sample(conversation, { numRuns: count, seed });
  return Promise.all(
    conversations.map(async (messages, index) => {
      const options = { from: "openclaw", to: name, escrow: index % 2 === 0 } as const;
      return (await convert(transcript(messages), options)).output;
    }),
  );
}
