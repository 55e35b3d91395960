import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isString } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { isNode, NAME } from "./wire.js";

const { warning } = driftsOf(NAME);

/** Where an export differs from those that ChatGPT writes. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index): Drift[] => {
    if (!isNode(record) || record.key === undefined) return [];
    const id = record.node["id"];
    const message = isString(id) ? `the node "${record.key}" has the id "${id}"` : "the node has no id";
    return [warning(`/${index}`, "key-is-not-id", message, "use the key as its id")];
  });
}
