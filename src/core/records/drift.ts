import type { Drift, JsonRecord } from "../dialect.js";

/** Makes drifts with the code `dialect/reason`. */
export function driftsOf(dialect: string) {
  const drift =
    (severity: "error" | "warning") =>
    (at: string, reason: string, message: string, hint?: string): Drift => ({
      at,
      code: `${dialect}/${reason}`,
      message,
      ...(hint === undefined ? {} : { hint }),
      severity,
    });
  return { error: drift("error"), warning: drift("warning") };
}

/** A field's pointer, or the record's if the field is missing. */
export function fieldPlace(record: JsonRecord, field: string, at: string): string {
  return record[field] === undefined ? at : `${at}/${field}`;
}
