import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import type { AssistantContent, AssistantMessage, ToolResultMessage, Usage } from "../../core/types.js";
import { type Origin, writePart } from "./blocks.js";
import { AGENT } from "./encode-user.js";
import { type Before, createdIn, idAfter, partFrame, timeAfter, wholeTime } from "./frame.js";
import { keptIn, notesOf } from "./notes.js";
import { joinParts } from "./parts.js";
import { resultsByCall, writeOrder } from "./result-order.js";
import { writeToolPart } from "./tool-result.js";
import { infoOf, UNKNOWN } from "./wire.js";

/** An answer's own fields. */
export function answerInfo(
  message: AssistantMessage,
  results: readonly ToolResultMessage[],
  before: Before,
): JsonObject {
  const created = timeAfter(message, before);
  const id = idAfter(message, before);
  return {
    id,
    sessionID: before.sessionID,
    role: "assistant",
    time: { created, completed: lastTime(created, results) },
    ...errorOf(message),
    parentID: before.promptID ?? id,
    modelID: isSynthesised(message, "/model") ? UNKNOWN : message.model,
    providerID: isSynthesised(message, "/provider") ? UNKNOWN : message.provider,
    mode: AGENT,
    agent: AGENT,
    path: { cwd: "/", root: "/" },
    cost: message.usage.cost.total,
    tokens: tokensOf(message.usage),
    ...finishOf(message),
  };
}

function lastTime(created: number, results: readonly ToolResultMessage[]): number {
  const times = results.map((result) =>
    isSynthesised(result, "/timestamp") ? 0 : wholeTime(result.timestamp),
  );
  return Math.max(created, ...times);
}

/** Reasoning tokens are not counted apart. */
export function tokensOf({ input, output, cacheRead, cacheWrite, totalTokens }: Usage): JsonObject {
  return { total: totalTokens, input, output, reasoning: 0, cache: { read: cacheRead, write: cacheWrite } };
}

function errorOf({ stopReason, errorMessage: message = "" }: AssistantMessage): JsonObject {
  if (stopReason === "aborted") return { error: { name: "MessageAbortedError", data: { message } } };
  return stopReason === "error" ? { error: { name: "UnknownError", data: { message } } } : {};
}

/** A broken answer has none. */
function finishOf(message: AssistantMessage): JsonObject {
  if (isSynthesised(message, "/stopReason")) return {};
  switch (message.stopReason) {
    case "stop":
    case "length":
      return { finish: message.stopReason };
    case "toolUse":
      return { finish: "tool-calls" };
    case "error":
    case "aborted":
      return {};
  }
}

/** An answer with the results of its calls. */
export function answerRecord(
  message: AssistantMessage,
  results: readonly ToolResultMessage[],
  before: Before,
): JsonRecord {
  const notes = notesOf(message);
  const ours = answerInfo(message, results, before);
  const byCall = resultsByCall(message.content, results);
  const record = restore({ info: ours, ...writeOrder(byCall, results) }, notes);
  const info = infoOf(record);
  const origin: Origin = { api: message.api, time: createdIn(info) ?? 0 };
  const write = (block: AssistantContent, place: number) => {
    const frame = partFrame(info, ours, place);
    if (block.type !== "toolCall") return writePart(block, frame, origin);
    return writeToolPart(block, byCall.get(block), frame, origin);
  };
  return { ...record, parts: joinParts(message.content, keptIn(notes), write) };
}
