import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { contractOf, payloadType } from "./contract.js";
import { isUlid } from "./ids.js";
import { formatTime, parseTime } from "./time.js";
import { isCustom, NAME, readRecord, type WireRecord } from "./wire.js";

const { error, warning } = driftsOf(NAME);

/** Readable records that violate the protocol. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => {
    const read = readRecord(record, `/${index}`);
    return [...checkFrame(read), ...checkType(read), ...checkTool(read)];
  });
}

function* checkFrame({ i, t, at }: WireRecord): Generator<Drift> {
  if (!isUlid(i)) {
    yield warning(`${at}/i`, "id", "the id is not a ULID, so it may sort out of order");
  }
  const time = parseTime(t);
  const right = time === undefined ? undefined : formatTime(time);
  if (t === undefined) {
    yield warning(at, "no-time", "the message has no time: it is incomplete, or its sender omitted t");
  } else if (right === undefined || right !== t) {
    const message = "the time is not ISO 8601 in UTC with milliseconds";
    yield right === undefined
      ? error(`${at}/t`, "time", message)
      : warning(`${at}/t`, "time", message, `write ${right}`);
  }
}

function* checkType({ type, v, at }: WireRecord): Generator<Drift> {
  if (type === undefined) {
    yield error(`${at}/v`, "no-type", "the message has no type");
    return;
  }
  if (isCustom(type) && !type.startsWith("x-")) {
    const message = `"${type}" is not a Timbal Messages/1.0 type`;
    yield warning(`${at}/v/type`, "unknown-type", message, `name your own type x-${type}`);
  }
  const { required, optional } = contractOf(type);
  for (const name of Object.keys(required)) {
    if (v[name] !== undefined) continue;
    yield error(`${at}/v`, "missing-field", `a ${type} message has no ${name}`);
  }
  for (const [name, expected] of Object.entries({ ...required, ...optional })) {
    // `checkTool` checks these.
    if (name === "arguments" || name === "status") continue;
    if (v[name] === undefined || expected.fits(v[name])) continue;
    // Programs can agree on any JSON as a payload.
    const drift = expected === payloadType ? warning : error;
    yield drift(`${at}/v/${name}`, "field-type", `${name} is not ${expected.described}`);
  }
}

function* checkTool({ type, v, at }: WireRecord): Generator<Drift> {
  const { arguments: args, status } = v;
  if (type === "tool_call" && args !== undefined && !isObject(args)) {
    const hint = "write the object itself, not its JSON text";
    yield error(`${at}/v/arguments`, "arguments-text", "the arguments are not an object", hint);
  }
  if (type !== "tool_result") return;
  if (status !== undefined && status !== "success" && status !== "error") {
    yield error(`${at}/v/status`, "status", "the status is neither success nor error");
  }
  if (status === "success" && v["output"] === undefined) {
    const message = "a successful tool result has no output";
    const hint = 'write what the tool returned, or "" if it returned nothing';
    yield warning(`${at}/v`, "no-output", message, hint);
  }
  if (status === "error" && typeof v["error"] !== "string") {
    yield warning(`${at}/v`, "no-error", "a failed tool result has no error text");
  }
}
