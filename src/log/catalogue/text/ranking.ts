import type { Segment } from "./segment-file.js";

/** The usual constants of BM25. */
const K1 = 1.2;
const B = 0.75;
/** The weight of a term that occurs in at least half of all messages. */
const LEAST_WEIGHT = 1e-6;

/** BM25: rare terms count more, and occurrences count less in long messages. */
export class Ranking {
  #messages = 0;
  #tokens = 0;
  /** How many messages contain each term. */
  readonly #containing: number[];

  constructor(terms: number) {
    this.#containing = Array.from({ length: terms }, () => 0);
  }

  /** Adds a segment that was searched; `containing` is the number of its messages that contain each term. */
  addSegment(
    { messages, tokens }: Pick<Segment, "messages" | "tokens">,
    containing: readonly number[],
  ): void {
    this.#messages += messages;
    this.#tokens += tokens;
    for (const [term, count] of containing.entries()) {
      this.#containing[term] = (this.#containing[term] ?? 0) + count;
    }
  }

  /** Of a message, from how often each term occurs in it and the number of its words. */
  score(times: readonly number[], length: number): number {
    const average = this.#tokens / this.#messages;
    const damping = K1 * (1 - B + (B * length) / average);
    return times.reduce(
      (sum, count, term) => sum + this.#weight(term) * ((count * (K1 + 1)) / (count + damping)),
      0,
    );
  }

  #weight(term: number): number {
    const containing = this.#containing[term] ?? 0;
    const weight = Math.log((this.#messages - containing + 0.5) / (containing + 0.5));
    return weight > 0 ? weight : LEAST_WEIGHT;
  }
}
