import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { timeIn } from "./frame.js";
import { NAME, TYPES } from "./wire.js";

const { error, warning } = driftsOf(NAME);

/** Readable lines that Qwen Code would skip or misread. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkLine(record, `/${index}`)]);
}

function* checkLine(record: JsonRecord, at: string): Generator<Drift> {
  const { type, parentUuid, message } = record;
  if (!TYPES.has(type)) {
    const text = `unknown line type ${JSON.stringify(type)}`;
    yield warning(fieldPlace(record, "type", at), "unknown-type", text, "Qwen Code skips it");
  }
  for (const name of ["sessionId", "cwd", "version"]) {
    if (isString(record[name])) continue;
    const hint = "Qwen Code needs it on every line";
    yield error(fieldPlace(record, name, at), "missing-field", `the line has no ${name}`, hint);
  }
  if (parentUuid !== null && !isString(parentUuid)) {
    const hint = "write the uuid of the line before it, or null for the first one";
    yield warning(fieldPlace(record, "parentUuid", at), "no-parent", "the line has no parentUuid", hint);
  }
  if (timeIn(record) === undefined) {
    const { timestamp } = record;
    const text = `the timestamp is ${timestamp === undefined ? "missing" : "not an ISO time"}`;
    const hint = "write a time like 2026-01-01T10:00:00.000Z";
    yield error(fieldPlace(record, "timestamp", at), "bad-time", text, hint);
  }
  if (isObject(message) && Array.isArray(message["parts"])) yield* checkParts(message["parts"], at);
}

function* checkParts(parts: readonly unknown[], at: string): Generator<Drift> {
  for (const [index, part] of parts.entries()) {
    const call = isObject(part) ? part["functionCall"] : undefined;
    if (!isObject(call) || isString(call["id"])) continue;
    const place = `${at}/message/parts/${index}/functionCall`;
    yield warning(place, "no-call-id", "the call has no id", "write one that is unique");
  }
}
