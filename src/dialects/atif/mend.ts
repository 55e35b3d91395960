import type { JsonRecord, Mended } from "../../core/dialect.js";
import { isHeader } from "./wire.js";

/** A step whose number is not its place in the list. Only such a step's record has a number. */
export function mend(record: JsonRecord): Mended | undefined {
  if (isHeader(record) || !Object.hasOwn(record, "step_id")) return undefined;
  const { step_id: id, ...rest } = record;
  return { records: [rest], changes: [`replaced step_id ${JSON.stringify(id)} with the step's place`] };
}
