import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { instantOf } from "../../core/time.js";
import { findingsIn, STEP, TRAJECTORY } from "./shapes.js";
import { AGENT_ONLY, declaredFor, isHeader, isUnnumbered, NAME } from "./wire.js";

const { error } = driftsOf(NAME);

/** Readable records that a validator of the format refuses. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => {
    const at = `/${index}`;
    const own = isHeader(record) ? checkHeader(record, at) : checkStep(record, at);
    return [...checkKeys(record, at), ...own];
  });
}

/** A document without steps. */
export function checkAll(records: readonly JsonRecord[]): Drift[] {
  if (records.some((record) => !isHeader(record))) return [];
  return [error("/0", "no-steps", "the trajectory has no steps", "a trajectory has at least one step")];
}

function* checkKeys(record: JsonRecord, at: string): Generator<Drift> {
  const shape = isHeader(record) ? TRAJECTORY : STEP;
  for (const { at: place, since } of findingsIn(record, shape, at)) {
    const key = place.slice(place.lastIndexOf("/") + 1);
    if (since === undefined) {
      const message = `the format has no key ${JSON.stringify(key)} here`;
      yield error(place, "unknown-key", message, "validators refuse the file; move it into extra");
    } else if (since > (declaredFor(record) ?? since)) {
      const hint = `write "schema_version": "ATIF-v1.${since}"`;
      yield error(place, "newer-key", `${key} in this form needs version 1.${since}`, hint);
    }
  }
}

function* checkHeader(header: JsonRecord, at: string): Generator<Drift> {
  const { agent, session_id: id } = header;
  if ((id === undefined || id === null) && declaredFor(header) !== undefined) {
    const hint = 'write one, or "schema_version": "ATIF-v1.7"';
    yield error(at, "no-session-id", "before version 1.7, a trajectory has a session_id", hint);
  }
  for (const field of ["name", "version"]) {
    if (isObject(agent) && isString(agent[field])) continue;
    yield error(`${at}/agent`, "no-agent", `the agent has no ${field}`, `write agent.${field}`);
  }
}

function* checkStep(step: JsonRecord, at: string): Generator<Drift> {
  const { source, timestamp, message } = step;
  const hint = "number the steps 1, 2, 3 and so on; repair does";
  if (isUnnumbered(step)) yield error(at, "step-id", "the step has no number", hint);
  // A step whose number is its place has no step_id here.
  if (Object.hasOwn(step, "step_id")) {
    yield error(`${at}/step_id`, "step-id", "the step's number is not its place in the list", hint);
  }
  if (message === undefined) yield error(at, "no-message", "the step has no message", 'write "message": ""');
  if (
    timestamp !== undefined &&
    timestamp !== null &&
    !(isString(timestamp) && instantOf(timestamp) !== undefined)
  ) {
    const hint = "write a time such as 2026-01-01T10:00:00Z";
    yield error(`${at}/timestamp`, "bad-time", "the timestamp is not an ISO 8601 time", hint);
  }
  if (source !== "agent") {
    for (const field of AGENT_ONLY) {
      if (step[field] === undefined || step[field] === null) continue;
      yield error(`${at}/${field}`, "agent-only", `only agent steps have ${field}`, "move it into extra");
    }
  }
  yield* checkResults(step, at);
}

function* checkResults({ tool_calls: calls, observation }: JsonRecord, at: string): Generator<Drift> {
  const ids = new Set(listOf(calls).map((call) => call["tool_call_id"]));
  const results = isObject(observation) ? listOf(observation["results"]) : [];
  for (const [index, result] of results.entries()) {
    const { source_call_id: id } = result;
    if (id === undefined || id === null || ids.has(id)) continue;
    const place = `${at}/observation/results/${index}`;
    const message = `no tool call of this step has the id ${JSON.stringify(id)}`;
    yield error(
      fieldPlace(result, "source_call_id", place),
      "no-call",
      message,
      "put the result into the step of its call",
    );
  }
  for (const [index, call] of listOf(calls).entries()) {
    if (isObject(call["arguments"])) continue;
    const place = fieldPlace(call, "arguments", `${at}/tool_calls/${index}`);
    yield error(place, "bad-arguments", "the arguments are not an object", 'write "arguments": {} for none');
  }
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
