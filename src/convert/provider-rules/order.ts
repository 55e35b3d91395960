import type { Api } from "../../core/api/provider.js";
import type { Turn, TurnRule } from "../meaning/turns.js";
import type { Report } from "../report.js";
import { type Refusal, refusal } from "./catalogue.js";

/** The order an API requires. Results right after their calls, which all APIs require, are checked by `PairingRule`. */
export function orderRule(report: Report, { dialect, rules }: Api): TurnRule {
  /** Not counting system messages. */
  let last: Turn["role"] | undefined;
  const add = ({ spot }: Turn, reason: Refusal, message: string) =>
    report.add(spot, refusal(dialect, reason, message));
  const checkAlternation = (turn: Turn) => {
    if (last === undefined) {
      if (turn.role === "user") return;
      add(turn, "first-message", `the API requires a user message first, not ${turn.role}`);
    } else if (side(last) === side(turn.role) && turn.role !== "toolResult") {
      add(turn, "alternation", `two messages in a row are from the ${side(turn.role)}`);
    }
  };
  return {
    check(turn) {
      if (turn.role === "system") {
        if (!rules.systemFirst || last === undefined) return;
        add(turn, "system-place", "the API accepts a system message only before all others");
      } else {
        if (rules.alternates) checkAlternation(turn);
        last = turn.role;
      }
    },
  };
}

/** Results are sent as the user. */
function side(role: Turn["role"]): "assistant" | "user" {
  return role === "assistant" ? "assistant" : "user";
}
