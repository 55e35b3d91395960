import type { AssistantContent, AssistantMessageEventLine } from "../../core/types.js";
import type { RpcAgentEvent, RpcAgentStep } from "../../protocol/schema.js";
import type { LiveState } from "../../runtime/live-state.js";

export type Stream = RpcAgentEvent["stream"];

export function streamOf(step: RpcAgentStep): Stream {
  switch (step.type) {
    case "message_update": {
      const { type } = step.assistantMessageEvent;
      if (type.startsWith("thinking")) return "thinking";
      return type.startsWith("toolcall") ? "tool" : "assistant";
    }
    case "tool_execution_start":
    case "tool_execution_update":
    case "tool_execution_end":
      return "tool";
    case "message_start":
    case "message_end": {
      const { message } = step;
      if ("error" in message) return "error";
      if (message.role === "assistant") return "assistant";
      return message.role === "toolResult" ? "tool" : "lifecycle";
    }
    default:
      return "lifecycle";
  }
}

/** The steps that would have led to what is under way, for a run that nobody has listened to until here. */
export function stepsUpTo({ answer, callTexts, tools }: LiveState): RpcAgentStep[] {
  const blocks =
    answer?.content.flatMap((block, index) => blockSteps(block, index, callTexts.get(index))) ?? [];
  return [
    ...(answer === undefined ? [] : [{ type: "message_start" as const, message: { role: "assistant" } }]),
    ...blocks.map((step) => ({ type: "message_update" as const, assistantMessageEvent: step })),
    ...[...tools.values()].map(({ toolCallId, toolName, args }) => ({
      type: "tool_execution_start" as const,
      toolCallId,
      toolName,
      args,
    })),
  ];
}

function blockSteps(
  block: AssistantContent,
  contentIndex: number,
  callText: string | undefined,
): AssistantMessageEventLine[] {
  switch (block.type) {
    case "text":
      return [{ type: "text_delta", contentIndex, delta: block.text }];
    case "thinking":
      return [{ type: "thinking_delta", contentIndex, delta: block.thinking }];
    case "toolCall": {
      const { id, name } = block;
      const start = { type: "toolcall_start" as const, contentIndex, id, name };
      return callText === undefined
        ? [start]
        : [start, { type: "toolcall_delta", contentIndex, delta: callText }];
    }
    default:
      return [{ type: "block_end", contentIndex, block }];
  }
}
