import { defined } from "../../core/json/defined.js";
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

/** The steps that lead to the current state of a run that was not followed until now. */
export function stepsUpTo(live: LiveState): RpcAgentStep[] {
  const { answer } = live;
  return [
    // Its id tells a client that has the stored answer, from another gateway, that these steps are of the past.
    ...(answer === undefined
      ? []
      : [{ type: "message_start" as const, message: defined({ role: answer.role, id: answer.id }) }]),
    ...live
      .answerEvents()
      .map((event) => ({ type: "message_update" as const, assistantMessageEvent: event })),
    ...[...live.tools.values()].map(({ toolCallId, toolName, args }) => ({
      type: "tool_execution_start" as const,
      toolCallId,
      toolName,
      args,
    })),
  ];
}
