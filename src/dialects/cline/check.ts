import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import {
  AGENTS,
  ASSISTANT_BLOCKS,
  isHeader,
  isLastAnswer,
  isNumber,
  isToolResult,
  METRICS,
  USER_BLOCKS,
} from "./wire.js";

/** Where records differ from the contract: a warning where real files do and readers cope, else an error. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => {
    const at = `/${index}`;
    if (isHeader(record)) return [...checkHeader(record, at)];
    const common = [...checkFrame(record, at), ...checkContent(record, at)];
    return record["role"] === "assistant"
      ? [...common, ...checkAnswer(record, at, isLastAnswer(unit, index))]
      : common;
  });
}

function* checkHeader(header: JsonRecord, at: string): Generator<Drift> {
  const { agent, sessionId, updated_at: time } = header;
  if (!AGENTS.some((known) => known === agent)) {
    yield error(
      `${at}/agent`,
      "agent",
      "the agent is not one the contract knows",
      `write one of ${AGENTS.join(", ")}`,
    );
  }
  if (typeof sessionId !== "string") {
    yield error(`${at}/sessionId`, "no-session-id", "the session has no id", "write the name of its folder");
  }
  if (typeof time !== "string" || Number.isNaN(Date.parse(time))) {
    yield error(
      `${at}/updated_at`,
      "updated-at",
      "the file does not say when it was updated",
      "write a time such as 2026-04-22T17:42:10.123Z",
    );
  }
  if ("origin" in header) {
    yield warning(`${at}/origin`, "origin", "the contract has no field origin", "readers must skip it");
  }
}

function* checkFrame(record: JsonRecord, at: string): Generator<Drift> {
  const { id, ts } = record;
  if (typeof id !== "string") {
    yield warning(
      at,
      "no-id",
      "the message has no id",
      "write one that stays the same each time the file is written",
    );
  }
  if (ts !== undefined && !isNumber(ts)) {
    yield error(
      `${at}/ts`,
      "bad-ts",
      "the time of the message is not a number",
      "write milliseconds since 1970",
    );
  }
  if ("metadata" in record) {
    yield warning(`${at}/metadata`, "metadata", "the contract has no field metadata", "readers must skip it");
  }
}

function* checkContent({ role, content }: JsonRecord, at: string): Generator<Drift> {
  if (typeof content === "string") {
    yield warning(
      `${at}/content`,
      "string-content",
      "the content is a string",
      'write an array of one block: [{"type":"text","text":…}]',
    );
  }
  if (!Array.isArray(content)) return;
  const [own, others] = role === "user" ? [USER_BLOCKS, ASSISTANT_BLOCKS] : [ASSISTANT_BLOCKS, USER_BLOCKS];
  for (const [index, block] of content.entries()) {
    const place = `${at}/content/${index}`;
    const type = isObject(block) ? block["type"] : undefined;
    if (typeof type === "string" && own.includes(type)) {
      if (isToolResult(block)) yield* checkResult(block, place);
    } else if (typeof type === "string" && others.includes(type)) {
      yield error(place, "wrong-role", `a ${type} block does not belong into a message of role ${role}`);
    } else {
      yield warning(
        place,
        "extra-block",
        `the contract has no block ${JSON.stringify(type ?? block)}`,
        "a strict reader may refuse it",
      );
    }
  }
}

function* checkResult({ is_error: failed, name }: JsonObject, at: string): Generator<Drift> {
  if (failed === undefined) {
    yield warning(
      at,
      "no-is-error",
      "the tool result does not say whether it is an error",
      'write "is_error": false',
    );
  } else if (typeof failed !== "boolean") {
    yield error(`${at}/is_error`, "bad-is-error", "is_error is neither true nor false");
  }
  if (name !== undefined) {
    yield warning(
      `${at}/name`,
      "result-name",
      "the contract has no name in a tool result",
      "the call has it",
    );
  }
}

function* checkAnswer({ ts, modelInfo, metrics }: JsonRecord, at: string, last: boolean): Generator<Drift> {
  if (ts === undefined) {
    yield warning(at, "no-ts", "the assistant message has no time", "write ts, milliseconds since 1970");
  }
  const named =
    isObject(modelInfo) && typeof modelInfo["id"] === "string" && typeof modelInfo["provider"] === "string";
  if (!named) {
    yield warning(
      at,
      "no-model-info",
      "the assistant message does not name its model and provider",
      "write modelInfo.id and modelInfo.provider",
    );
  }
  if (metrics !== undefined) yield* checkMetrics(metrics, `${at}/metrics`, last);
  else if (last) {
    yield warning(
      at,
      "no-metrics",
      "the last assistant message of a turn has no metrics",
      "fine while the turn is running; a completed one has them",
    );
  }
}

function* checkMetrics(metrics: unknown, at: string, last: boolean): Generator<Drift> {
  if (!isObject(metrics)) {
    yield error(at, "bad-metrics", "the metrics are not an object");
    return;
  }
  if (!last) {
    yield warning(
      at,
      "metrics-not-last",
      "metrics stand on an assistant message before the last of its turn",
      "right for an attempt that failed and was tried again; else only the last one has them",
    );
  }
  const { cost, inputTokens, cacheReadTokens, cacheWriteTokens } = metrics;
  if (cost === undefined) {
    yield warning(at, "no-cost", "the metrics have no cost", 'write "cost": 0 when there was none');
  }
  const missing = METRICS.filter((field) => field !== "cost" && metrics[field] === undefined);
  if (missing.length > 0) {
    yield warning(
      at,
      "incomplete-metrics",
      `the metrics lack ${missing.join(", ")}`,
      "write 0 where there was none",
    );
  }
  for (const field of METRICS) {
    if (metrics[field] !== undefined && !isNumber(metrics[field])) {
      yield error(`${at}/${field}`, "bad-metrics", `${field} is not a number`);
    }
  }
  if (isNumber(inputTokens) && isNumber(cacheReadTokens) && isNumber(cacheWriteTokens)) {
    if (inputTokens < cacheReadTokens + cacheWriteTokens) {
      yield warning(
        `${at}/inputTokens`,
        "input-without-cache",
        "inputTokens does not include the cached tokens",
        "add cacheReadTokens and cacheWriteTokens to it",
      );
    }
  }
}

function warning(at: string, reason: string, message: string, hint?: string): Drift {
  return {
    at,
    code: `cline/${reason}`,
    message,
    ...(hint === undefined ? {} : { hint }),
    severity: "warning",
  };
}

function error(at: string, reason: string, message: string, hint?: string): Drift {
  return { ...warning(at, reason, message, hint), severity: "error" };
}
