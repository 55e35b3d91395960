import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { contractOf, describedTypes, isOfType } from "./contract.js";
import { isUlid } from "./ids.js";
import { formatTime, parseTime } from "./time.js";
import { isCustom, readRecord, type WireRecord } from "./wire.js";

/** Records that can be read, but that differ from the protocol. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => {
    const read = readRecord(record, `/${index}`);
    return [...checkFrame(read), ...checkType(read), ...checkTool(read)];
  });
}

function* checkFrame({ i, t, at }: WireRecord): Generator<Drift> {
  if (!isUlid(i)) {
    const message = "the id is not a ULID, so it may sort in another place than it was said";
    yield { at: `${at}/i`, code: "timbal/id", message, severity: "warning" };
  }
  const time = parseTime(t);
  const right = time === undefined ? undefined : formatTime(time);
  if (t === undefined) {
    const message = "the message has no time: it was not completed, or its sender left t out";
    yield { at, code: "timbal/no-time", message, severity: "warning" };
  } else if (right === undefined || right !== t) {
    yield {
      at: `${at}/t`,
      code: "timbal/time",
      message: "the time is not ISO 8601 in UTC with milliseconds",
      ...(right === undefined ? {} : { hint: `write ${right}` }),
      severity: right === undefined ? "error" : "warning",
    };
  }
}

function* checkType({ type, v, at }: WireRecord): Generator<Drift> {
  if (type === undefined) {
    const message = "the message has no type";
    yield { at: `${at}/v`, code: "timbal/no-type", message, severity: "error" };
    return;
  }
  if (isCustom(type) && !type.startsWith("x-")) {
    yield {
      at: `${at}/v/type`,
      code: "timbal/unknown-type",
      message: `"${type}" is no type of Timbal Messages/1.0`,
      hint: `name a type of your own x-${type}`,
      severity: "warning",
    };
  }
  const { required, optional } = contractOf(type);
  for (const name of Object.keys(required)) {
    if (v[name] !== undefined) continue;
    const message = `a ${type} message has no ${name}`;
    yield { at: `${at}/v`, code: "timbal/missing-field", message, severity: "error" };
  }
  for (const [name, expected] of Object.entries({ ...required, ...optional })) {
    // What is wrong with these has a code of its own.
    if (name === "arguments" || name === "status") continue;
    if (v[name] === undefined || isOfType(v[name], expected)) continue;
    const message = `${name} is not ${describedTypes[expected]}`;
    // Any JSON can be a payload to programs that agree on it.
    const severity = expected === "text or object" ? "warning" : "error";
    yield { at: `${at}/v/${name}`, code: "timbal/field-type", message, severity };
  }
}

function* checkTool({ type, v, at }: WireRecord): Generator<Drift> {
  const { arguments: args, status } = v;
  if (type === "tool_call" && args !== undefined && !isObject(args)) {
    yield {
      at: `${at}/v/arguments`,
      code: "timbal/arguments-text",
      message: "the arguments are not an object",
      hint: "write the object itself, not its JSON text",
      severity: "error",
    };
  }
  if (type !== "tool_result") return;
  if (status !== undefined && status !== "success" && status !== "error") {
    yield {
      at: `${at}/v/status`,
      code: "timbal/status",
      message: "the status is neither success nor error",
      severity: "error",
    };
  }
  if (status === "success" && v["output"] === undefined) {
    const message = "a successful tool result has no output";
    const hint = 'write what the tool returned, or "" if it returned nothing';
    yield { at: `${at}/v`, code: "timbal/no-output", message, hint, severity: "warning" };
  }
  if (status === "error" && typeof v["error"] !== "string") {
    const message = "a failed tool result has no error text";
    yield { at: `${at}/v`, code: "timbal/no-error", message, severity: "warning" };
  }
}
