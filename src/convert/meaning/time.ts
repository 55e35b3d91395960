import type { SourceMessage } from "../decode.js";
import { type Report, spotIn } from "../report.js";
import { isModelMessage } from "./blocks.js";
import { finding } from "./catalogue.js";
import type { Rule } from "./rule.js";

/** No message is older than the one before it. */
export class TimeRule implements Rule {
  readonly #report: Report;
  #last = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  check(source: SourceMessage): void {
    const { timestamp } = source.message;
    // Notes are often written by another clock; zero means that the time is unknown.
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
