import type { AgentEventLine, AssistantMessageEventLine } from "../types.js";

/** A server does not lag behind by more answers. */
const MOST_COMPLETE = 100;

type Step = AgentEventLine | { type: "run_start" | "run_end" };

interface PartialAnswer {
  id: string | undefined;
  /** By block: the length of its deltas. */
  seen: Map<number, number>;
  /** The blocks that have ended. */
  ended: Set<number>;
}

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
  /** The answer that the reader has in part. */
  #answer: PartialAnswer | undefined;
  /** The ids of the last answers that the reader has in full. */
  readonly #complete = new Set<string>();
  /** Whether the steps are those of a complete answer. */
  #isSkipping = false;
  /** By block: the length of the repeated deltas; undefined unless steps are repeated. */
  #again: Map<number, number> | undefined;

  /** The steps that follow begin at the beginning of the answer, or before it, instead of where they ended. */
  repeat(): void {
    if (this.#answer !== undefined) this.#again = new Map();
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
    this.#answer = undefined;
    this.#again = undefined;
  }

  /** The step, or the part of it that is new; undefined if nothing is. */
  accept<S extends Step>(step: S): S | undefined {
    if (step.type === "message_start" && step.message.role === "assistant") {
      return this.#begin(step.message.id) ? step : undefined;
    }
    if (step.type === "message_end" && step.message.role === "assistant") {
      return this.#end(step.message.id) ? step : undefined;
    }
    if (step.type !== "message_update") return step;
    const event = this.#newPart(step.assistantMessageEvent);
    if (event === step.assistantMessageEvent) return step;
    return event === undefined ? undefined : { ...step, assistantMessageEvent: event };
  }

  #begin(id: string | undefined): boolean {
    this.#isSkipping = id !== undefined && this.#complete.has(id);
    if (this.#isSkipping) return false;
    // A server can repeat an answer under later numbers than those that the reader has.
    if (this.#isCurrent(id)) {
      this.repeat();
      return false;
    }
    this.#answer = { id, seen: new Map(), ended: new Set() };
    this.#again = undefined;
    return true;
  }

  #end(id: string | undefined): boolean {
    const wasSkipping = this.#isSkipping;
    this.#isSkipping = false;
    const known = this.#answer?.id;
    // A server that repeats begins with the end of the answer before.
    if (wasSkipping || (id !== undefined && known !== undefined && id !== known)) return false;
    this.complete(id);
    return true;
  }

  #isCurrent(id: string | undefined): boolean {
    if (this.#answer === undefined) return false;
    const known = this.#answer.id;
    return id === undefined || known === undefined ? this.#again !== undefined : id === known;
  }

  /** The part of an update that the reader does not have. */
  #newPart(event: AssistantMessageEventLine): AssistantMessageEventLine | undefined {
    const answer = this.#answer;
    // The rest of an answer that was completed from the log.
    if (this.#isSkipping || answer === undefined) return undefined;
    if (!("contentIndex" in event)) return this.#again === undefined ? event : undefined;
    const { contentIndex: block } = event;
    if ("delta" in event) {
      const delta = this.#newText(answer, block, event.delta);
      if (delta === event.delta) return event;
      return delta === "" ? undefined : { ...event, delta };
    }
    const isKnown = event.type.endsWith("_start") ? answer.seen.has(block) : answer.ended.has(block);
    if (this.#again !== undefined && isKnown) return undefined;
    if (event.type.endsWith("_end")) answer.ended.add(block);
    answer.seen.set(block, answer.seen.get(block) ?? 0);
    return event;
  }

  #newText(answer: PartialAnswer, block: number, delta: string): string {
    const seen = answer.seen.get(block) ?? 0;
    const start = this.#again === undefined ? seen : (this.#again.get(block) ?? 0);
    const end = start + delta.length;
    this.#again?.set(block, end);
    answer.seen.set(block, Math.max(seen, end));
    return delta.slice(Math.max(0, seen - start));
  }
}
