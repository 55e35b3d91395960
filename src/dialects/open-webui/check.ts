import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isString } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { isMessage, NAME } from "./wire.js";

const { warning } = driftsOf(NAME);

/** Where a chat differs from what Open WebUI expects of an import. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index): Drift[] => {
    if (!isMessage(record)) return [];
    const drifts: Drift[] = [];
    const at = `/${index}`;
    if (record.key !== undefined) {
      const id = record.message["id"];
      const message = isString(id)
        ? `the message "${record.key}" has the id "${id}"`
        : "the message has no id";
      drifts.push(warning(at, "key-is-not-id", message, "use the key as its id"));
    }
    if (record.isChildless === true) {
      const hint = 'add "childrenIds", the ids of the messages that follow it';
      drifts.push(warning(at, "no-children", "the message has no childrenIds", hint));
    }
    return drifts;
  });
}
