import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { isUuid } from "../../core/uuid.js";
import { callId } from "./blocks.js";
import { timeOf } from "./frame.js";
import { answerId, isLink, kindOf, LOOSE_TYPES, NAME, TREE_TYPES } from "./wire.js";

const { error, warning } = driftsOf(NAME);

/** Readable lines that Claude Code would ignore, misread or send in a form that the API refuses. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkLine(record, `/${index}`)]);
}

function* checkLine(record: JsonRecord, at: string): Generator<Drift> {
  const { type } = record;
  const isMessage = type === "user" || type === "assistant";
  if (isString(type) && !TREE_TYPES.has(type) && !LOOSE_TYPES.has(type)) {
    const message = `unknown line type ${JSON.stringify(type)}`;
    const hint = "it is kept unchanged; older versions of Claude Code lose the history before it";
    yield warning(`${at}/type`, "unknown-type", message, hint);
  }
  if (isLink(record) || isMessage) yield* checkLinks(record, at);
  if (isMessage) yield* checkContent(record, at);
}

function* checkLinks(record: JsonRecord, at: string): Generator<Drift> {
  const { uuid, parentUuid } = record;
  if (!isString(uuid) || !isUuid(uuid)) {
    const message = isString(uuid) ? "the uuid is not a UUID" : "the line has no uuid";
    const hint = "Claude Code does not find the lines before it; write a UUID";
    yield warning(fieldPlace(record, "uuid", at), "bad-uuid", message, hint);
  }
  if (parentUuid !== null && !isString(parentUuid)) {
    const hint = "write the uuid of the line before it, or null for the first one";
    yield warning(fieldPlace(record, "parentUuid", at), "no-parent", "the line has no parentUuid", hint);
  }
  if (timeOf(record) === undefined) {
    const { timestamp } = record;
    const message = `the timestamp is ${timestamp === undefined ? "missing" : "not an ISO time"}`;
    const hint = "Claude Code does not open the session; write a time like 2026-01-01T10:00:00.000Z";
    yield error(fieldPlace(record, "timestamp", at), "bad-time", message, hint);
  }
}

function* checkContent(record: JsonRecord, at: string): Generator<Drift> {
  const { message } = record;
  const content = isObject(message) ? message["content"] : undefined;
  const isAnswer = kindOf(record) === "answer";
  if (isAnswer && answerId(record) === undefined) {
    const hint =
      "Claude Code sends each line as a message of its own; give all lines of an answer the same id";
    yield warning(`${at}/message`, "no-message-id", "the answer has no id", hint);
  }
  if (isAnswer && isString(content)) {
    const text = "the content of an answer is text";
    yield warning(`${at}/message/content`, "string-content", text, "write a list with a text block");
  }
  for (const [index, block] of Array.isArray(content) ? content.entries() : []) {
    if (isObject(block)) yield* checkBlock(block, `${at}/message/content/${index}`);
  }
}

function* checkBlock(block: JsonRecord, at: string): Generator<Drift> {
  const { type, id, tool_use_id: resultId, input, signature } = block;
  if (type === "thinking" && (!isString(signature) || signature === "")) {
    const hint = "the API refuses unsigned thinking; remove the block";
    yield warning(
      fieldPlace(block, "signature", at),
      "unsigned-thinking",
      "the thinking has no signature",
      hint,
    );
  }
  if (type === "tool_use" && (!isString(id) || !isObject(input))) {
    const message = isString(id) ? "the input of the call is not an object" : "the call has no id";
    yield error(isString(id) ? fieldPlace(block, "input", at) : at, "bad-call", message);
  }
  if (type === "tool_result" && !isString(resultId)) {
    yield error(at, "bad-result", "the result does not name its call", "write tool_use_id");
  }
  const [field, callee] = type === "tool_use" ? ["id", id] : ["tool_use_id", resultId];
  if ((type === "tool_use" || type === "tool_result") && isString(callee) && callId(callee) !== callee) {
    const hint = "the API accepts only letters, digits, _ and -";
    yield warning(
      `${at}/${field}`,
      "bad-call-id",
      `the call id ${JSON.stringify(callee)} is not accepted`,
      hint,
    );
  }
}
