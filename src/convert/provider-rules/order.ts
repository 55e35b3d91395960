import type { Turn, TurnRule } from "../meaning/turns.js";
import type { Report } from "../report.js";
import { type Refusal, refusal } from "./catalogue.js";
import type { ProviderRules } from "./rules.js";

/** In which order an API takes messages. That results follow their calls all of them want: see the pairing rule. */
export class OrderRule implements TurnRule {
  readonly #report: Report;
  readonly #rules: ProviderRules;
  /** Not counting system messages. */
  #last: Turn | undefined;

  constructor(report: Report, rules: ProviderRules) {
    this.#report = report;
    this.#rules = rules;
  }

  turn(turn: Turn): void {
    if (turn.role === "system") {
      if (this.#rules.systemFirst && this.#last !== undefined) {
        this.#say(turn, "system-place", "the API takes a system message only before all others");
      }
      return;
    }
    if (this.#rules.takesTurnsOnly) this.#judgeTurn(turn);
    this.#last = { ...turn, spot: this.#report.settle(turn.spot) };
  }

  finish(): void {
    if (this.#last?.role !== "assistant" || !this.#rules.endsWithUser) return;
    this.#say(
      this.#last,
      "last-message",
      "the conversation ends with the assistant; many models refuse to go on",
    );
  }

  #judgeTurn(turn: Turn): void {
    if (this.#last === undefined) {
      if (turn.role === "user") return;
      this.#say(turn, "first-message", `the API wants a user message first, not ${turn.role}`);
    } else if (this.#last.role === turn.role ? turn.role !== "toolResult" : isUserTwice(this.#last, turn)) {
      this.#say(turn, "alternation", `two messages in a row are from the ${sender(turn)}`);
    }
  }

  #say(turn: Turn, reason: Refusal, message: string): void {
    this.#report.add(turn.spot, refusal(this.#rules.name, reason, message));
  }
}

function isUserTwice(last: Turn, next: Turn): boolean {
  return last.role !== "assistant" && next.role !== "assistant";
}

/** Results are sent in the user's name. */
function sender({ role }: Turn): string {
  return role === "assistant" ? "assistant" : "user";
}
