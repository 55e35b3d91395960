import type { SourceMessage } from "../decode.js";
import { type Report, spotIn } from "../report.js";
import { isModelMessage } from "./blocks.js";
import { finding } from "./catalogue.js";
import type { Rule } from "./rule.js";

/** Nobody speaks before the one they answer. */
export class TimeRule implements Rule {
  readonly #report: Report;
  #last = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  check(source: SourceMessage): void {
    const { timestamp } = source.message;
    // Notes beside the conversation are often written by another clock; zero stands in for a time that nobody noted.
    if (!isModelMessage(source.message) || timestamp === 0) return;
    if (timestamp < this.#last) {
      const message = `the message is ${seconds(this.#last - timestamp)} older than the one before it`;
      this.#report.add(spotIn(source, ["timestamp"]), finding("time/backwards", message));
    }
    this.#last = timestamp;
  }
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
