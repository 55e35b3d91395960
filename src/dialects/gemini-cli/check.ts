import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { timeIn } from "./frame.js";
import { isDocument, kindOf, NAME, TYPES } from "./wire.js";

const { error, warning } = driftsOf(NAME);

/** Readable lines that Gemini CLI would ignore or misread. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkLine(record, `/${index}`)]);
}

function* checkLine(record: JsonRecord, at: string): Generator<Drift> {
  switch (kindOf(record)) {
    case "message":
      yield* checkMessage(record, at);
      break;
    case "header":
      yield* checkHeader(record, at);
      break;
    case "other":
      yield warning(at, "unknown-line", "Gemini CLI ignores this line", "it is kept unchanged");
      break;
    case "set":
    case "carried":
      break;
  }
}

function* checkHeader(record: JsonRecord, at: string): Generator<Drift> {
  const { projectHash, messages } = record;
  if (!isString(projectHash) || projectHash === "") {
    const hint = "write any text; Gemini CLI does not open sessions without it";
    yield warning(fieldPlace(record, "projectHash", at), "no-project", "the header has no projectHash", hint);
  }
  if (!isDocument(record) || !Array.isArray(messages)) return;
  for (const [index, message] of messages.entries()) {
    if (isObject(message)) yield* checkMessage(message, `${at}/messages/${index}`);
  }
}

function* checkMessage(record: JsonRecord, at: string): Generator<Drift> {
  const { id, type, timestamp, toolCalls } = record;
  if (!isString(id)) {
    yield error(fieldPlace(record, "id", at), "no-id", "the message has no id", "Gemini CLI ignores it");
  }
  if (!TYPES.has(type)) {
    const message = `unknown message type ${JSON.stringify(type)}`;
    yield warning(fieldPlace(record, "type", at), "unknown-type", message, "Gemini CLI does not send it");
  }
  if (timeIn(timestamp) === undefined) {
    const message = `the timestamp is ${timestamp === undefined ? "missing" : "not an ISO time"}`;
    const hint = "write a time like 2026-01-01T10:00:00.000Z";
    yield warning(fieldPlace(record, "timestamp", at), "bad-time", message, hint);
  }
  for (const [index, call] of Array.isArray(toolCalls) ? toolCalls.entries() : []) {
    if (isObject(call)) yield* checkCall(call, `${at}/toolCalls/${index}`);
  }
}

function* checkCall(call: JsonRecord, at: string): Generator<Drift> {
  if (!isString(call["id"])) {
    yield warning(fieldPlace(call, "id", at), "no-call-id", "the call has no id", "write one that is unique");
  }
  if (!isObject(call["args"])) {
    const message = "the arguments of the call are not an object";
    yield warning(fieldPlace(call, "args", at), "bad-arguments", message);
  }
}
