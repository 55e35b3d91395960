import type { AgentMessage, AssistantMessage, ToolCall, ToolResultMessage } from "../types.js";
import { pairUp } from "./pairs.js";

/** An answer's tool calls, in order. */
export function callsOf({ content }: AssistantMessage): ToolCall[] {
  return content.filter((block) => block.type === "toolCall");
}

/** The result of a failed call; the model is shown `why`. */
export function failedResult(
  { id, name }: Pick<ToolCall, "id" | "name">,
  why: string,
  timestamp: number,
): ToolResultMessage {
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

/** The calls of the last answer that have no result. */
export function openCalls(messages: readonly AgentMessage[]): ToolCall[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  if (last < 0) return [];
  const { calls, answers } = pairUp(messages.slice(last).map((message) => ({ message })));
  return calls.flatMap(({ spot }) => {
    const { message } = spot.item;
    const call = message.role === "assistant" ? message.content[spot.block] : undefined;
    return call?.type === "toolCall" && !answers.has(spot) ? call : [];
  });
}

/** Results for the calls of the last answer that a crash left without one: providers refuse such a history. */
export function closingResults(messages: readonly AgentMessage[], timestamp: number): ToolResultMessage[] {
  return openCalls(messages).map((call) => ({
    ...failedResult(call, INTERRUPTED, timestamp),
    details: { reason: "interrupted" },
  }));
}
