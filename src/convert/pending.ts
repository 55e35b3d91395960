import type { Dialect } from "../core/dialect.js";
import type { Loss } from "../core/types.js";
import type { SourceMessage } from "./decode.js";

/**
 * Picks out the results that a target cannot mark as pending: written beside the final one, such a result would be a
 * second answer to the same call. Which of them a final result supersedes shows only when that one comes, so each is
 * reported then, or at the end.
 */
export class PendingResults {
  readonly #isKept: boolean;
  readonly #onLoss: (loss: Loss) => void;
  /** By the id of the call, where the results are that wait for a final one. */
  readonly #pending = new Map<string, string[]>();

  /** What is written in its own dialect stays as it is. */
  constructor(from: Dialect, to: Dialect, onLoss: (loss: Loss) => void) {
    this.#isKept = from.name === to.name || to.pendingResults === true;
    this.#onLoss = onLoss;
  }

  /** Whether this is one of them. */
  intercept({ message, origin }: SourceMessage): boolean {
    if (this.#isKept || message.role !== "toolResult") return false;
    const { toolCallId, isPending } = message;
    const waiting = this.#pending.get(toolCallId);
    if (isPending !== true) {
      this.#pending.delete(toolCallId);
      this.#report(waiting ?? [], "the result that follows supersedes it");
      return false;
    }
    const at = origin?.at ?? "";
    if (waiting === undefined) this.#pending.set(toolCallId, [at]);
    else waiting.push(at);
    return true;
  }

  finish(): void {
    for (const places of this.#pending.values()) {
      this.#report(places, "the tool was still running, and no final result follows");
    }
  }

  #report(places: readonly string[], why: string): void {
    for (const at of places) this.#onLoss({ at, what: "the pending tool result", why, severity: "dropped" });
  }
}
