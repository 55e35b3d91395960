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
  const error = drift("error");
  /** An error for each of these fields that is missing or has an unexpected value. */
  function* checkFields(record: JsonRecord, fields: FieldTypes, at: string, hint?: string): Generator<Drift> {
    for (const [name, isRight] of Object.entries(fields)) {
      if (isRight(record[name])) continue;
      const [reason, message] =
        record[name] === undefined
          ? ["missing-field", `${name} is missing`]
          : ["bad-field", `${name} has an unexpected value`];
      yield error(fieldPlace(record, name, at), reason, message, hint);
    }
  }
  /** An error for a part that is not an object with a type. */
  const untypedPart = (at: string): Drift =>
    error(at, "no-part", "a part must be an object with a type", 'write { "type": "text", "text": "…" }');
  return { error, warning: drift("warning"), checkFields, untypedPart };
}

/** Required fields, each with a test of its value. */
export type FieldTypes = Readonly<Record<string, (value: unknown) => boolean>>;

/** A field's pointer, or the record's if the field is missing. */
export function fieldPlace(record: JsonRecord, field: string, at: string): string {
  return record[field] === undefined ? at : `${at}/${field}`;
}
