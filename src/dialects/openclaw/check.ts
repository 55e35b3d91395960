import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { SECONDS_END } from "../../core/time.js";

/** Lines that can be read, but that a program which trusts the format would trip over. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkLine(record, `/${index}`)]);
}

function* checkLine(line: JsonRecord, at: string): Generator<Drift> {
  const { timestamp, usage } = line;
  if (typeof timestamp === "number" && timestamp > 0 && timestamp < SECONDS_END) {
    yield {
      at: `${at}/timestamp`,
      code: "openclaw/seconds",
      message: "the timestamp is in seconds; the format has milliseconds",
      hint: `write ${timestamp * 1000}`,
      severity: "warning",
    };
  }
  if (line["role"] === "assistant" && isObject(usage) && usage["totalTokens"] === undefined) {
    yield {
      at: `${at}/usage`,
      code: "openclaw/no-total",
      message: "the usage has no totalTokens",
      severity: "warning",
    };
  }
}
