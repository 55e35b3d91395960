import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isBoolean, isNumber, isObject, isString } from "../../core/json/value.js";
import { driftsOf, type FieldTypes, fieldPlace } from "../../core/records/drift.js";
import { instantOf } from "../../core/time.js";
import { NAME } from "./wire.js";

const { error, warning, checkFields } = driftsOf(NAME);

/** The required data of the events that make up the conversation. */
const REQUIRED: ReadonlyMap<unknown, FieldTypes> = new Map<unknown, FieldTypes>([
  [
    "session.start",
    {
      sessionId: isString,
      version: isNumber,
      producer: isString,
      copilotVersion: isString,
      startTime: isString,
    },
  ],
  ["user.message", { content: isString }],
  ["assistant.message", { messageId: isString, content: isString }],
  ["tool.execution_start", { toolCallId: isString, toolName: isString }],
  ["tool.execution_complete", { toolCallId: isString, success: isBoolean }],
  ["session.compaction_complete", { success: isBoolean }],
  ["system.message", { role: isString, content: isString }],
  ["session.error", { errorType: isString, message: isString }],
]);

/** Readable events without the fields that Copilot's types require. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkEvent(record, `/${index}`)]);
}

function* checkEvent(record: JsonRecord, at: string): Generator<Drift> {
  const { id, parentId, timestamp, data, type } = record;
  if (!isString(id))
    yield error(fieldPlace(record, "id", at), "bad-id", "the event has no id", "write a UUID");
  if (parentId !== null && !isString(parentId)) {
    const hint = "write the id of the event before it, or null for the first one";
    yield warning(
      fieldPlace(record, "parentId", at),
      "no-parent",
      "the event does not name the one before it",
      hint,
    );
  }
  if (!isString(timestamp) || instantOf(timestamp) === undefined) {
    const message = `the timestamp is ${timestamp === undefined ? "missing" : "not an ISO time"}`;
    yield error(
      fieldPlace(record, "timestamp", at),
      "bad-time",
      message,
      "write a time like 2026-01-01T10:00:00.000Z",
    );
  }
  if (isObject(data)) yield* checkFields(data, REQUIRED.get(type) ?? {}, `${at}/data`);
  else yield error(fieldPlace(record, "data", at), "no-data", "the event has no data");
}
