import { type Half, Pairing, type Verdict } from "../../core/message/pairing.js";
import type { Report, Spot } from "../report.js";
import { finding, type MeaningCode } from "./catalogue.js";
import type { Turn, TurnRule } from "./turns.js";

/** Every call has one result, right after it. */
export class PairingRule implements TurnRule {
  readonly #report: Report;
  readonly #pairing: Pairing<Spot>;

  constructor(report: Report) {
    this.#report = report;
    this.#pairing = new Pairing((spot) => report.detach(spot));
  }

  check({ role, calls, result }: Turn): void {
    for (const half of result === undefined ? calls : [result]) {
      if (half.id !== "") continue;
      const what = result === undefined ? "call" : "result";
      this.#add(half, "pairing/empty-id", `this ${what} of the tool ${half.name} has an empty id`);
    }
    if (result !== undefined) this.#judge(this.#pairing.result(result));
    else if (role !== "system") this.#judge(this.#pairing.turn(calls));
  }

  finish(): void {
    this.#judge(this.#pairing.finish());
  }

  #judge(verdicts: Iterable<Verdict<Spot>>): void {
    for (const verdict of verdicts) {
      switch (verdict.kind) {
        case "answered":
        case "pending":
          this.#judgeResult(verdict);
          break;
        case "unanswered":
          this.#add(verdict.call, "pairing/unanswered", `the ${describeCall(verdict.call)} has no result`);
          break;
        case "duplicate id": {
          const message = `the id "${verdict.call.id}" is already used by an earlier call`;
          this.#add(verdict.call, "pairing/duplicate-id", message);
          break;
        }
        case "duplicate result": {
          const message = `the call "${verdict.result.id}" already has a result`;
          this.#add(verdict.result, "pairing/duplicate-result", message);
          break;
        }
        case "orphan result": {
          const message = `the result's call "${verdict.result.id}" is missing`;
          this.#add(verdict.result, "pairing/orphan-result", message);
        }
      }
    }
  }

  #judgeResult({ call, result, when }: Extract<Verdict<Spot>, { when: unknown }>): void {
    if (when === "early") {
      this.#add(result, "pairing/early-result", `the result comes before the ${describeCall(call)}`);
    }
    if (when === "late") {
      const message = `another message comes between the ${describeCall(call)} and this result`;
      this.#add(result, "pairing/late-result", message);
    }
    if (result.name !== "" && result.name !== call.name) {
      const message = `this is a result of the tool ${result.name}, but the call "${call.id}" is for ${call.name}`;
      this.#add(result, "pairing/name-mismatch", message);
    }
  }

  #add({ spot }: Half<Spot>, code: MeaningCode, message: string): void {
    this.#report.add(spot, finding(code, message));
  }
}

function describeCall({ id, name }: Half<Spot>): string {
  return `call "${id}" to the tool ${name}`;
}
