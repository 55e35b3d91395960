import type { Dialect } from "../core/dialect.js";
import type { Loss } from "../core/types.js";
import type { SourceMessage } from "./decode.js";

/**
 * Filters out pending results that a target cannot mark as such: next to the final result, they would be a second answer
 * to the same call. Each is reported when the final result arrives, or at the end.
 */
export class PendingResults {
  readonly #isKept: boolean;
  readonly #onLoss: (loss: Loss) => void;
  /** The places of the pending results, by call id. */
  readonly #pending = new Map<string, string[]>();

  /** Nothing is filtered if source and target are the same dialect. */
  constructor(from: Dialect, to: Dialect, onLoss: (loss: Loss) => void) {
    this.#isKept = from.name === to.name || to.pendingResults === true;
    this.#onLoss = onLoss;
  }

  /** Whether this is a pending result that must not be written. */
  intercept({ message, origin }: SourceMessage): boolean {
    if (this.#isKept || message.role !== "toolResult") return false;
    const { toolCallId, isPending } = message;
    if (isPending !== true) {
      if (this.#pending.size > 0) this.#supersede(toolCallId);
      return false;
    }
    const places = this.#pending.get(toolCallId);
    const at = origin?.at ?? "";
    if (places === undefined) this.#pending.set(toolCallId, [at]);
    else places.push(at);
    return true;
  }

  finish(): void {
    for (const places of this.#pending.values()) {
      this.#report(places, "the tool was still running, and there is no final result");
    }
  }

  #supersede(toolCallId: string): void {
    const places = this.#pending.get(toolCallId) ?? [];
    this.#pending.delete(toolCallId);
    this.#report(places, "the result that follows supersedes it");
  }

  #report(places: readonly string[], why: string): void {
    for (const at of places) this.#onLoss({ at, what: "the pending tool result", why, severity: "dropped" });
  }
}
