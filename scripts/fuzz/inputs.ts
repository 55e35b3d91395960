import fc from "fast-check";
import { type Provider, providers } from "../../src/convert/check.js";
import type { DialectName } from "../../src/dialects/registry.js";
import { type Mutate, mutation } from "../../test/generate/mutations.js";
import { suffer } from "./accidents.js";
import { allQuestions, type Question } from "./laws.js";
import { parsePieces, writePieces } from "./pieces.js";
import { Random } from "./random.js";
import { type Corpus, generatedIn, names, writable } from "./sources.js";
import { changeStructure, cut } from "./structure.js";

/** One run: the input, and what is tested with it. */
export interface Run {
  dialect: DialectName;
  input: Uint8Array;
  other: DialectName;
  provider: Provider | undefined;
  question: Question;
}

/** Runs are generated in blocks, because the generators are slow to start. */
export const BLOCK = 1000;
const GENERATED = 40;

/** A block of runs, which depend only on these three. */
export interface BlockId {
  dialect: DialectName;
  seed: number;
  block: number;
}

/** The runs of one block. */
export class Inputs {
  readonly #id: BlockId;
  readonly #corpus: Corpus;
  readonly #generated: string[];
  readonly #mutations: Mutate[];

  private constructor(id: BlockId, corpus: Corpus, generated: string[]) {
    this.#id = id;
    this.#corpus = corpus;
    this.#generated = generated;
    this.#mutations = fc.sample(mutation, { numRuns: BLOCK, seed: seedOf(id) });
  }

  static async open(id: BlockId, corpus: Corpus): Promise<Inputs> {
    return new Inputs(id, corpus, await generatedIn(id.dialect, GENERATED, seedOf(id)));
  }

  /** The run with that number in the block. */
  run(index: number): Run {
    const { dialect, seed, block } = this.#id;
    const random = new Random(seed, dialect, block, index);
    return {
      dialect,
      input: this.#input(random, index),
      other: random.pick(writable) ?? dialect,
      provider: random.pick([undefined, ...providers]),
      question: allQuestions[index % allQuestions.length] ?? "itself",
    };
  }

  #input(random: Random, index: number): Uint8Array {
    const pieces = parsePieces(this.#source(random));
    // Undamaged inputs take as long as damaged ones.
    if (random.chance(0.95)) cut(pieces, random);
    const times = random.chance(0.9) ? 1 + random.below(3) : 0;
    for (let time = 0; time < times; time++) changeStructure(pieces.values, random, this.#corpus.words);
    const written = writePieces(pieces);
    const text = random.chance(0.12) ? suffer(written, random, this.#source(random)) : written;
    const bytes = new TextEncoder().encode(text);
    return random.chance(0.12) ? (this.#mutations[index]?.(bytes) ?? bytes) : bytes;
  }

  /** Mostly inputs of the dialect itself, sometimes of another. */
  #source(random: Random): string {
    const share = random.next();
    if (share < 0.35 && this.#generated.length > 0) return random.pick(this.#generated) ?? "";
    const name = share < 0.9 ? this.#id.dialect : random.pick(names);
    return random.pick(this.#corpus.fixtures.get(name ?? this.#id.dialect) ?? []) ?? "";
  }
}

function seedOf({ dialect, seed, block }: BlockId): number {
  return new Random(seed, dialect, block).below(2 ** 31);
}
