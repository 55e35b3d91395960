import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isString } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { isHeader, NAME } from "./wire.js";

const { warning } = driftsOf(NAME);

/** Where an export differs from those that Claude writes. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index): Drift[] => {
    const owner = isHeader(record) ? record.conversation : record;
    if (isString(owner["uuid"])) return [];
    const what = isHeader(record) ? "conversation" : "message";
    return [
      warning(fieldPlace(owner, "uuid", `/${index}`), "no-uuid", `the ${what} has no uuid`, 'add "uuid"'),
    ];
  });
}
