import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { checkMetrics } from "./check-metrics.js";
import { AGENTS, ASSISTANT_BLOCKS, interruption, isHeader, isLastAnswer, NAME, USER_BLOCKS } from "./wire.js";

const { error, warning } = driftsOf(NAME);

/** Where records differ from the contract: a warning if real files do and readers accept it, otherwise an error. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => {
    const at = `/${index}`;
    if (isHeader(record)) return [...checkHeader(record, at)];
    const common = [...checkFrame(record, at), ...checkContent(record, at)];
    if (record["role"] !== "assistant") return [...common, ...checkUser(record, at)];
    const isRetried = unit[index + 1]?.["role"] === "assistant";
    return [...common, ...checkAnswer(record, at, { isLast: isLastAnswer(unit, index), isRetried })];
  });
}

function* checkHeader(header: JsonRecord, at: string): Generator<Drift> {
  const { agent, sessionId, updated_at: time, taskType, system_prompt } = header;
  if (!AGENTS.some((known) => known === agent)) {
    const hint = `write one of ${AGENTS.join(", ")}`;
    yield error(`${at}/agent`, "agent", "the contract does not define this agent", hint);
  }
  if (typeof sessionId !== "string" || sessionId === "") {
    yield error(`${at}/sessionId`, "no-session-id", "the session has no id", "write the name of its folder");
  }
  if (taskType !== undefined && typeof taskType !== "string") {
    yield error(`${at}/taskType`, "bad-task-type", "taskType is not a string");
  } else if (taskType === undefined && (agent === "subagent" || agent === "teammate")) {
    yield warning(at, "no-task-type", `the file of a ${agent} has no task type`, "write taskType");
  }
  if (system_prompt !== undefined && typeof system_prompt !== "string") {
    yield error(`${at}/system_prompt`, "bad-system-prompt", "system_prompt is not a string");
  }
  if (typeof time !== "string" || Number.isNaN(Date.parse(time))) {
    const hint = "write a time such as 2026-04-22T17:42:10.123Z";
    yield error(`${at}/updated_at`, "updated-at", "the file has no update time", hint);
  }
  if ("origin" in header) {
    yield warning(`${at}/origin`, "origin", "the contract has no origin field", "readers must skip it");
  }
}

function* checkFrame(record: JsonRecord, at: string): Generator<Drift> {
  const { id, ts } = record;
  if (id === undefined || id === "") {
    const hint = "add one that stays the same every time the file is written";
    yield warning(at, "no-id", "the message has no id", hint);
  } else if (typeof id !== "string") {
    yield error(`${at}/id`, "bad-id", "the message id is not a string");
  }
  if (ts !== undefined && !isNumber(ts)) {
    yield error(`${at}/ts`, "bad-ts", "the message time is not a number", "write milliseconds since 1970");
  }
  if ("metadata" in record) {
    yield warning(`${at}/metadata`, "metadata", "the contract has no metadata field", "readers must skip it");
  }
}

function* checkContent({ role, content }: JsonRecord, at: string): Generator<Drift> {
  if (typeof content === "string") {
    const hint = 'write an array of one block: [{"type":"text","text":…}]';
    yield warning(`${at}/content`, "string-content", "the content is a string", hint);
  }
  if (!Array.isArray(content)) return;
  const [own, others] = role === "user" ? [USER_BLOCKS, ASSISTANT_BLOCKS] : [ASSISTANT_BLOCKS, USER_BLOCKS];
  for (const [index, block] of content.entries()) {
    const place = `${at}/content/${index}`;
    const type = isObject(block) ? block["type"] : undefined;
    if (isObject(block) && typeof type === "string" && own.includes(type)) {
      if (type === "tool_result") yield* checkResult(block, place);
      if (type === "tool_use" && block["input"] === undefined) {
        yield error(place, "no-input", "the tool call has no input", 'write "input": {} when it has none');
      }
    } else if (typeof type === "string" && others.includes(type)) {
      yield error(place, "wrong-role", `a ${type} block does not belong in a message of role ${role}`);
    } else {
      const message = `the contract does not define the block ${JSON.stringify(type ?? block)}`;
      yield warning(place, "extra-block", message, "strict readers may reject it");
    }
  }
}

function* checkResult({ content, is_error: failed, name }: JsonObject, at: string): Generator<Drift> {
  if (content === undefined) {
    yield error(at, "no-content", "the tool result has no content", 'write "content": "" when there is none');
  }
  if (failed === undefined) {
    yield warning(at, "no-is-error", "the tool result has no is_error", 'write "is_error": false');
  } else if (typeof failed !== "boolean") {
    yield error(`${at}/is_error`, "bad-is-error", "is_error is not a boolean");
  }
  if (name !== undefined) {
    const message = "the contract has no name field in a tool result";
    yield warning(`${at}/name`, "result-name", message, "the call has it");
  }
}

function* checkUser(record: JsonRecord, at: string): Generator<Drift> {
  for (const field of ["modelInfo", "metrics"]) {
    if (record[field] === undefined) continue;
    const hint = "only assistant messages do";
    yield warning(`${at}/${field}`, "not-an-answer", `a user message has ${field}`, hint);
  }
}

function* checkAnswer(
  { ts, modelInfo, metrics, interrupted }: JsonRecord,
  at: string,
  place: { isLast: boolean; isRetried: boolean },
): Generator<Drift> {
  if (ts === undefined) {
    yield warning(at, "no-ts", "the assistant message has no time", "write ts, milliseconds since 1970");
  }
  yield* checkModelInfo(modelInfo, at);
  if (metrics !== undefined) yield* checkMetrics(metrics, `${at}/metrics`, place);
  else if (place.isLast && interruption(interrupted) === undefined) {
    const message = "the last assistant message of a turn has no metrics";
    const hint =
      "expected while the turn is running; if it was cut off and its usage is unknown, write interrupted";
    yield warning(at, "no-metrics", message, hint);
  }
}

function* checkModelInfo(modelInfo: unknown, at: string): Generator<Drift> {
  const place = `${at}/modelInfo`;
  const { id, provider, family } = isObject(modelInfo) ? modelInfo : {};
  if (modelInfo !== undefined && !isObject(modelInfo)) {
    yield error(place, "bad-model-info", "modelInfo is not an object");
  } else if (id === undefined || provider === undefined) {
    const message = "the assistant message has no model and provider";
    yield warning(at, "no-model-info", message, "write modelInfo.id and modelInfo.provider");
  }
  for (const [field, value] of Object.entries({ id, provider, family })) {
    if (value === undefined || typeof value === "string") continue;
    yield error(`${place}/${field}`, "bad-model-info", `modelInfo.${field} is not a string`);
  }
}
