import type { RpcAgentEvent, RpcAgentStep } from "../../client/schema/index.js";
import { type Failure, failureIn } from "../../core/failure.js";
import { isObject } from "../../core/json/value.js";
import type { AgentEvent, AgentMessage, AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import type { LiveState } from "../../runtime/live-state.js";

export type Stream = RpcAgentEvent["stream"];

/** What an event of a run is on the wire. It holds nothing that grows: the message under construction stays here. */
export function stepOf(event: AgentEvent): RpcAgentStep {
  switch (event.type) {
    case "agent_start":
    case "agent_end":
    case "turn_start":
    case "turn_end":
      return { type: event.type };
    case "message_start":
    case "message_end":
      return { type: event.type, ...whose(event.message) };
    case "message_update":
      return blockStep(event.assistantMessageEvent);
    case "tool_execution_start":
    case "tool_execution_end":
      return event;
    case "tool_execution_update": {
      const { args: _, ...rest } = event;
      return rest;
    }
  }
}

function whose(message: AgentMessage): { role: string; id?: string; error?: { message: string } } {
  const { role, id } = message;
  const failure = failureIn(message);
  return {
    role,
    ...(id === undefined ? {} : { id }),
    ...(failure === undefined ? {} : { error: wordsOf(failure) }),
  };
}

function wordsOf({ message, code }: Failure): { message: string; code?: string } {
  return { message, ...(code === undefined ? {} : { code }) };
}

function blockStep(event: AssistantMessageEvent): RpcAgentStep {
  switch (event.type) {
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return { type: event.type, contentIndex: event.contentIndex, text: event.delta };
    case "text_start":
    case "text_end":
    case "thinking_start":
    case "thinking_end":
      return { type: event.type, contentIndex: event.contentIndex };
    case "toolcall_start": {
      const { contentIndex, id, name } = event;
      const named = event.partial?.content[contentIndex];
      const known = named?.type === "toolCall" ? { id: named.id, name: named.name } : {};
      return {
        type: event.type,
        contentIndex,
        ...known,
        ...(id === undefined ? {} : { id }),
        ...(name === undefined ? {} : { name }),
      };
    }
    case "toolcall_end":
      return { type: event.type, contentIndex: event.contentIndex, toolCall: event.toolCall };
    case "block_end":
      return { type: event.type, contentIndex: event.contentIndex, block: event.block };
    case "start":
      return { type: "message_start", role: "assistant" };
    case "done":
    case "error":
      return { type: "message_end", role: "assistant" };
  }
}

export function streamOf(step: RpcAgentStep): Stream {
  switch (step.type) {
    case "text_start":
    case "text_delta":
    case "text_end":
    case "block_end":
      return "assistant";
    case "thinking_start":
    case "thinking_delta":
    case "thinking_end":
      return "thinking";
    case "toolcall_start":
    case "toolcall_delta":
    case "toolcall_end":
    case "tool_execution_start":
    case "tool_execution_update":
    case "tool_execution_end":
      return "tool";
    case "message_start":
    case "message_end":
      if (step.error !== undefined) return "error";
      if (step.role === "assistant") return "assistant";
      return step.role === "toolResult" ? "tool" : "lifecycle";
    default:
      return "lifecycle";
  }
}

/** The steps that would have led to what is under way, for a run that nobody has listened to until here. */
export function stepsUpTo({ answer, tools }: LiveState): RpcAgentStep[] {
  const steps: RpcAgentStep[] = [];
  if (answer !== undefined) {
    steps.push({ type: "message_start", role: "assistant" }, ...blocksOf(answer));
  }
  for (const { toolCallId, toolName, args } of tools.values()) {
    steps.push({ type: "tool_execution_start", toolCallId, toolName, args });
  }
  return steps;
}

function blocksOf({ content }: AssistantMessage): RpcAgentStep[] {
  return content.map((block, contentIndex): RpcAgentStep => {
    switch (block.type) {
      case "text":
        return { type: "text_delta", contentIndex, text: block.text };
      case "thinking":
        return { type: "thinking_delta", contentIndex, text: block.thinking };
      case "toolCall": {
        const args: unknown = structuredClone(block.arguments);
        return {
          type: "toolcall_start",
          contentIndex,
          id: block.id,
          name: block.name,
          ...(isObject(args) ? { arguments: args } : {}),
        };
      }
      default:
        return { type: "block_end", contentIndex, block };
    }
  });
}
