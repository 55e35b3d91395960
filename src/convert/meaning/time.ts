import { type Report, spotIn } from "../report.js";
import { isModelMessage } from "./blocks.js";
import { finding } from "./catalogue.js";
import type { Rule } from "./rule.js";

/** No message is older than the one before it. */
export function timeRule(report: Report): Rule {
  let last = 0;
  return {
    check(source) {
      const { timestamp } = source.message;
      // Notes are often written by another clock; zero means that the time is unknown.
      if (!isModelMessage(source.message) || timestamp === 0) return;
      if (timestamp < last) {
        const message = `the message is ${(last - timestamp) / 1000} s older than the one before it`;
        report.add(spotIn(source, ["timestamp"]), finding("time/backwards", message));
      }
      last = timestamp;
    },
  };
}
