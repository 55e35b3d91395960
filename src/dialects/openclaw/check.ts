import type { Drift, JsonRecord } from "../../core/dialect.js";
import { messageDrift } from "../../core/message/message-contract.js";
import { NAME } from "./wire.js";

/** Lines that can be read, but that break the message format: a program that trusts it would fail on them. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((line, index) => [...messageDrift(line, `/${index}`, { name: NAME })]);
}
