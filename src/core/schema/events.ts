import { type TProperties, Type } from "@sinclair/typebox";
import { AssistantContent, ToolCall } from "./blocks.js";
import { named, ref, tagged } from "./build.js";
import { AgentMessage, AssistantMessage, StopReason, ToolResultMessage } from "./messages.js";

function event<T extends string, P extends TProperties>(type: T, properties: P) {
  return Type.Object({ type: Type.Literal(type), ...properties });
}

/** One step of one block. `partial` is the live message; it is there in process, and on a wire only if asked for. */
function blockEvent<T extends string, P extends TProperties>(type: T, properties: P) {
  return event(type, {
    contentIndex: Type.Number(),
    ...properties,
    partial: Type.Optional(ref(AssistantMessage)),
  });
}

const delta = { delta: Type.String() };
const content = { content: Type.String() };

export const AssistantMessageEvent = named(
  "AssistantMessageEvent",
  tagged("type", [
    event("start", { partial: ref(AssistantMessage) }),
    event("done", { reason: ref(StopReason), message: ref(AssistantMessage) }),
    event("error", {
      reason: Type.Unsafe<"aborted" | "error">({ enum: ["aborted", "error"] }),
      error: ref(AssistantMessage),
    }),
    blockEvent("text_start", {}),
    blockEvent("text_delta", delta),
    blockEvent("text_end", content),
    blockEvent("thinking_start", {}),
    blockEvent("thinking_delta", delta),
    blockEvent("thinking_end", content),
    // A remote reader has no `partial`, and wants to show which tool is being called before its arguments are complete.
    blockEvent("toolcall_start", { id: Type.Optional(Type.String()), name: Type.Optional(Type.String()) }),
    blockEvent("toolcall_delta", delta),
    blockEvent("toolcall_end", { toolCall: ref(ToolCall) }),
    // A block that does not stream (an image, an opaque item) arrives whole.
    blockEvent("block_end", { block: ref(AssistantContent) }),
  ]),
);

const toolExecution = { toolCallId: Type.String(), toolName: Type.String() };

/** The events of a run; `update` are the fields of `message_update`, which is all that differs in process and on a wire. */
function agentEvents<P extends TProperties>(update: P) {
  return tagged("type", [
    event("agent_start", {}),
    event("agent_end", { messages: Type.Array(ref(AgentMessage)) }),
    event("turn_start", {}),
    event("turn_end", {
      message: ref(AgentMessage),
      toolResults: Type.Array(ref(ToolResultMessage)),
    }),
    event("message_start", { message: ref(AgentMessage) }),
    event("message_update", { ...update, assistantMessageEvent: ref(AssistantMessageEvent) }),
    event("message_end", { message: ref(AgentMessage) }),
    event("tool_execution_start", { ...toolExecution, args: Type.Unknown() }),
    event("tool_execution_update", {
      ...toolExecution,
      args: Type.Unknown(),
      partialResult: Type.Unknown(),
    }),
    event("tool_execution_end", {
      ...toolExecution,
      result: Type.Unknown(),
      isError: Type.Boolean(),
    }),
  ]);
}

export const AgentEvent = named("AgentEvent", agentEvents({ message: ref(AgentMessage) }));

/**
 * The same event as a line of JSON (`dragoman chat --json`). The message under construction grows with every step, so a line leaves
 * it out, here and as `partial`, unless it is asked for; `message_end` has the whole message.
 */
export const AgentEventLine = named(
  "AgentEventLine",
  agentEvents({ message: Type.Optional(ref(AgentMessage)) }),
);
