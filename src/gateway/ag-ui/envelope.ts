import type { JsonObject } from "../../core/json/value.js";
import { contentSchema, questionText } from "../../core/message/question.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AnswerEnd, Envelope } from "../front-ends/chunk-writer.js";
import type { AgUiEvent } from "./writer.js";

/** A run, as a client names it. */
export interface RunName {
  threadId: string;
  runId: string;
  /** Clients before 1.0 do not state one. */
  protocolVersion?: string | undefined;
  /** What began the run, for clients that do not have it. */
  input?: JsonObject;
}

/** Around each answer: a run with the client's id. */
export function runEnvelope({ threadId, runId, protocolVersion, input }: RunName): Envelope<AgUiEvent> {
  const run = { threadId, runId };
  const isCurrent = protocolVersion !== undefined;
  return {
    open: () => [
      {
        type: "RUN_STARTED",
        ...run,
        ...(isCurrent ? { protocolVersion: "1.0" } : {}),
        ...(input === undefined ? {} : { input }),
      },
    ],
    begin: () => [],
    pause: (requests) => [{ type: "RUN_FINISHED", ...run, ...pauseOf(requests, isCurrent) }],
    close: (end) => [endEvent(end, run, isCurrent)],
    terminator: "",
  };
}

/** A call of one of the page's own tools ends the run, and is no interrupt: the page runs it and sends the result. */
function pauseOf(requests: readonly PermissionRequest[], isCurrent: boolean): JsonObject {
  const interrupts = requests.filter(({ question }) => question?.asksResult !== true);
  if (interrupts.length > 0)
    return { outcome: { type: "interrupt", interrupts: interrupts.map(interruptOf) } };
  return isCurrent ? { outcome: { type: "success" } } : {};
}

function endEvent(end: AnswerEnd, run: JsonObject, isCurrent: boolean): AgUiEvent {
  switch (end.outcome) {
    case "done":
      return { type: "RUN_FINISHED", ...run, ...(isCurrent ? usageOf(end) : {}) };
    case "aborted":
      // Clients before 1.0 refuse an outcome that they do not know.
      return { type: "RUN_FINISHED", ...run, ...(isCurrent ? { outcome: { type: "cancelled" } } : {}) };
    case "error":
      return { type: "RUN_ERROR", message: end.message };
  }
}

function usageOf({ last, usage }: Extract<AnswerEnd, { outcome: "done" }>): JsonObject {
  if (last === undefined) return {};
  const inputTokens = usage.input + usage.cacheRead + usage.cacheWrite;
  const counts = {
    provider: last.provider,
    model: last.model,
    inputTokens,
    outputTokens: usage.output,
    totalTokens: inputTokens + usage.output,
    cachedInputTokens: usage.cacheRead,
    cacheWriteInputTokens: usage.cacheWrite,
  };
  return { usage: [counts] };
}

function interruptOf({ id, toolCall, subject, question, expires }: PermissionRequest): JsonObject {
  const what = subject === undefined ? toolCall.name : `${toolCall.name}: ${subject}`;
  return {
    id,
    reason: "tool_call",
    toolCallId: toolCall.id,
    expiresAt: new Date(expires).toISOString(),
    message: question === undefined ? `May the agent run ${what}?` : questionText(question),
    responseSchema: {
      type: "object",
      properties: {
        approved: { type: "boolean" },
        scope: { enum: ["once", "session"] },
        ...(question === undefined ? {} : { values: contentSchema(question) }),
      },
      required: ["approved"],
    },
  };
}
