import type { AgentMessage, AssistantMessage, ToolCall } from "../core/types.js";

/** The calls of an answer, in the order the model made them. */
export function callsOf({ content }: AssistantMessage): ToolCall[] {
  return content.filter((block) => block.type === "toolCall");
}

/**
 * The calls of the last answer that have no result yet: what a crash leaves behind, and what a provider refuses for ever.
 *
 * @example
 * const closing = unansweredCalls(messages).map((call) => failedResult(call, "the process stopped", Date.now()));
 */
export function unansweredCalls(messages: readonly AgentMessage[]): ToolCall[] {
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
