import type { AgentMessage, AssistantMessage, ToolCall, ToolResultMessage } from "./types.js";

/** The calls of an answer, in the order the model made them. */
export function callsOf({ content }: AssistantMessage): ToolCall[] {
  return content.filter((block) => block.type === "toolCall");
}

/** The result of a call that did not do what it should: the model reads why. */
export function failedResult({ id, name }: ToolCall, why: string, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text: why }],
    isError: true,
    timestamp,
  };
}

const INTERRUPTED = "The process stopped before the tool finished. Whether it had any effect is unknown.";

/**
 * Results for the calls of the last answer that a crash has left without one: providers refuse such a history for ever.
 *
 * @example
 * await append(closingResults(messages, Date.now()));
 */
export function closingResults(messages: readonly AgentMessage[], timestamp: number): ToolResultMessage[] {
  return openCalls(messages).map((call) => ({
    ...failedResult(call, INTERRUPTED, timestamp),
    details: { reason: "interrupted" },
  }));
}

function openCalls(messages: readonly AgentMessage[]): ToolCall[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const answer = messages[last];
  if (answer?.role !== "assistant") return [];
  // Some servers give several calls one id: each result answers one of them.
  const answered = messages
    .slice(last + 1)
    .flatMap((message) =>
      message.role === "toolResult" && message.isPending !== true ? message.toolCallId : [],
    );
  return callsOf(answer).filter(({ id }) => {
    const found = answered.indexOf(id);
    if (found >= 0) answered.splice(found, 1);
    return found < 0;
  });
}
