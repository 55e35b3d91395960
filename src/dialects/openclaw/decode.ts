import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { admit } from "../../core/records/admit.js";
import { NAME } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.map((record, index) => ({
    message: admit(record, NAME, `/${index}`),
    record: index,
    base: "",
  }));
}
