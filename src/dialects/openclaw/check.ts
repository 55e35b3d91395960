import type { Drift, JsonRecord } from "../../core/dialect.js";
import { messageDrift } from "../../core/message/message-contract.js";
import { NAME } from "./wire.js";

/** Readable lines that violate the message format. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((line, index) => [...messageDrift(line, `/${index}`, { name: NAME })]);
}
