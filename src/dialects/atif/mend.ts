import type { JsonRecord, Mended } from "../../core/dialect.js";
import { isHeader, isUnnumbered, numbered } from "./wire.js";

/** A step without a number, or with one that is not its place in the list. */
export function mend(record: JsonRecord): Mended | undefined {
  if (isHeader(record)) return undefined;
  if (isUnnumbered(record)) return { records: [numbered(record)], changes: ["added the step's step_id"] };
  if (!Object.hasOwn(record, "step_id")) return undefined;
  const id = JSON.stringify(record["step_id"]);
  return { records: [numbered(record)], changes: [`replaced step_id ${id} with the step's place`] };
}
