import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { isUlid } from "./ids.js";
import { formatTime, parseTime } from "./time.js";
import { isCustom, readRecord, type WireRecord } from "./wire.js";

/** What Timbal Messages/1.0 requires of a type. */
const required: Record<string, readonly string[]> = {
  user: ["content"],
  agent: ["content"],
  thinking: ["content"],
  tool_call: ["toolCallId", "name", "arguments"],
  tool_result: ["toolCallId", "status"],
  status: ["state"],
  error: ["content"],
  agent_complete: ["agentId", "result"],
  agent_message: ["senderId", "payload"],
};

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
  for (const name of Object.hasOwn(required, type) ? (required[type] ?? []) : []) {
    if (v[name] !== undefined) continue;
    const message = `a ${type} message has no ${name}`;
    yield { at: `${at}/v`, code: "timbal/missing-field", message, severity: "error" };
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
  if (status === "error" && typeof v["error"] !== "string") {
    const message = "a failed tool result has no error text";
    yield { at: `${at}/v`, code: "timbal/no-error", message, severity: "warning" };
  }
}
