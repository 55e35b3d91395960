import type { Api } from "../../core/api/provider.js";
import type { Turn, TurnRule } from "../meaning/turns.js";
import type { Report } from "../report.js";
import { type Refusal, refusal } from "./catalogue.js";

/** The order an API requires. Results right after their calls, which all APIs require, are checked by `PairingRule`. */
export class OrderRule implements TurnRule {
  readonly #report: Report;
  readonly #api: Api;
  /** Not counting system messages. */
  #last: Turn["role"] | undefined;

  constructor(report: Report, api: Api) {
    this.#report = report;
    this.#api = api;
  }

  check(turn: Turn): void {
    if (turn.role === "system") {
      if (this.#api.rules.systemFirst && this.#last !== undefined) {
        this.#add(turn, "system-place", "the API accepts a system message only before all others");
      }
      return;
    }
    if (this.#api.rules.alternates) this.#judgeTurn(turn);
    this.#last = turn.role;
  }

  #judgeTurn(turn: Turn): void {
    if (this.#last === undefined) {
      if (turn.role === "user") return;
      this.#add(turn, "first-message", `the API requires a user message first, not ${turn.role}`);
    } else if (side(this.#last) === side(turn.role) && turn.role !== "toolResult") {
      this.#add(turn, "alternation", `two messages in a row are from the ${side(turn.role)}`);
    }
  }

  #add(turn: Turn, reason: Refusal, message: string): void {
    this.#report.add(turn.spot, refusal(this.#api.dialect, reason, message));
  }
}

/** Results are sent as the user. */
function side(role: Turn["role"]): "assistant" | "user" {
  return role === "assistant" ? "assistant" : "user";
}
