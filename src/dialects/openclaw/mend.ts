import type { JsonRecord, Mended } from "../../core/dialect.js";
import { SECONDS_END } from "../../core/time.js";

/** Seconds before March 1973 would still look like seconds after they were multiplied. */
const SECONDS_START = SECONDS_END / 1000;

/** A timestamp in seconds becomes one in milliseconds. */
export function mend(record: JsonRecord): Mended | undefined {
  const { timestamp } = record;
  if (typeof timestamp !== "number" || timestamp < SECONDS_START || timestamp >= SECONDS_END)
    return undefined;
  return {
    records: [{ ...record, timestamp: timestamp * 1000 }],
    changes: ["The timestamp was in seconds; milliseconds were written."],
  };
}
