import type { AgentMessage, AssistantMessage, ToolCall, ToolResultMessage } from "../core/types.js";
import { failedResult } from "./tool-result.js";

/** The calls of an answer, in the order the model made them. */
export function callsOf({ content }: AssistantMessage): ToolCall[] {
  return content.filter((block) => block.type === "toolCall");
}

/**
 * Results for the calls that a crash has left without one: providers refuse such a history for ever. `run` begins with them.
 *
 * @example
 * await append(closingResults(messages, Date.now()));
 */
export function closingResults(messages: readonly AgentMessage[], timestamp: number): ToolResultMessage[] {
  const why = "the process stopped before this call had a result";
  return unansweredCalls(messages).map((call) => failedResult(call, why, timestamp));
}

function unansweredCalls(messages: readonly AgentMessage[]): ToolCall[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const answer = messages[last];
  if (answer?.role !== "assistant") return [];
  // Some servers give several calls one id: each result answers one of them.
  const answered = messages
    .slice(last + 1)
    .flatMap((message) => (message.role === "toolResult" ? message.toolCallId : []));
  return callsOf(answer).filter(({ id }) => {
    const found = answered.indexOf(id);
    if (found >= 0) answered.splice(found, 1);
    return found < 0;
  });
}
