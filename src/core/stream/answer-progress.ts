import type { AgentEventLine } from "../types.js";

/** A server does not lag behind by more answers. */
const MOST_COMPLETE = 100;

type Step = AgentEventLine | { type: "run_start" | "run_end" };

/**
 * How much of the answer in progress a reader has. When its steps are repeated from the answer's beginning, because the
 * reader has moved to another server, it passes on only what is new. A server that lags behind also repeats steps of answers
 * that the reader has in full; these do not pass.
 *
 * @example
 * progress.repeat();
 * const news = progress.accept(step);
 */
export class AnswerProgress {
  /** By block: the length of its deltas. */
  #seen = new Map<number, number>();
  #ended = new Set<number>();
  #isBegun = false;
  #id: string | undefined;
  /** The ids of the last answers that the reader has in full. */
  readonly #complete = new Set<string>();
  /** Whether the steps are those of a complete answer. */
  #isSkipping = false;
  /** The same, counted again from the beginning; undefined unless steps are repeated. */
  #again: Map<number, number> | undefined;

  /** The steps that follow begin at the beginning of the answer, or later, instead of where they ended. */
  repeat(): void {
    if (this.#isBegun) this.#again = new Map();
  }

  /** The reader has an answer in full. */
  complete(id: string | undefined): void {
    this.reset();
    if (id !== undefined) this.#complete.add(id);
    const [oldest] = this.#complete;
    if (this.#complete.size > MOST_COMPLETE && oldest !== undefined) this.#complete.delete(oldest);
  }

  /** The answer in progress is not continued. */
  reset(): void {
    this.#seen = new Map();
    this.#ended = new Set();
    this.#isBegun = false;
    this.#id = undefined;
    this.#again = undefined;
  }

  /** The step, or the part of it that is new; undefined if nothing is. */
  accept<S extends Step>(step: S): S | undefined {
    if (step.type === "message_start" && step.message.role === "assistant") {
      const { id } = step.message;
      this.#isSkipping = id !== undefined && this.#complete.has(id);
      // A server can repeat an answer under later numbers than those that the reader has.
      if (id !== undefined && id === this.#id) this.repeat();
      if (this.#isSkipping || this.#again !== undefined) return undefined;
      this.reset();
      this.#isBegun = true;
      this.#id = id;
    }
    if (step.type === "message_end" && step.message.role === "assistant") {
      const wasSkipping = this.#isSkipping;
      this.#isSkipping = false;
      if (wasSkipping) return undefined;
      this.complete(step.message.id);
    }
    if (step.type !== "message_update") return step;
    // The rest of an answer that was completed from the log.
    if (this.#isSkipping || !this.#isBegun) return undefined;
    const event = step.assistantMessageEvent;
    if (!("contentIndex" in event)) return this.#again === undefined ? step : undefined;
    const { contentIndex: block } = event;
    if ("delta" in event) {
      const delta = this.#newPart(block, event.delta);
      if (delta === event.delta) return step;
      return delta === "" ? undefined : { ...step, assistantMessageEvent: { ...event, delta } };
    }
    const isKnown = event.type.endsWith("_start") ? this.#seen.has(block) : this.#ended.has(block);
    if (this.#again !== undefined && isKnown) return undefined;
    if (event.type.endsWith("_end")) this.#ended.add(block);
    this.#seen.set(block, this.#seen.get(block) ?? 0);
    return step;
  }

  #newPart(block: number, delta: string): string {
    const seen = this.#seen.get(block) ?? 0;
    const start = this.#again === undefined ? seen : (this.#again.get(block) ?? 0);
    const end = start + delta.length;
    this.#again?.set(block, end);
    this.#seen.set(block, Math.max(seen, end));
    return delta.slice(Math.max(0, seen - start));
  }
}
