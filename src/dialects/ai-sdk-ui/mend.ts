import type { JsonRecord, Mended } from "../../core/dialect.js";
import { isVersion4, upgrade } from "./version-4.js";

/** Rewrites a message of AI SDK 4, which later versions do not read. */
export function mend(record: JsonRecord): Mended | undefined {
  if (!isVersion4(record)) return undefined;
  return {
    records: [upgrade(record)],
    changes: ["AI SDK 4 wrote the message; it was rewritten in the form of AI SDK 6."],
  };
}
