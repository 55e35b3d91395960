import { failureIn } from "../message/failure.js";
import type {
  AgentEvent,
  AgentEventLine,
  AgentMessage,
  AssistantMessageEvent,
  AssistantMessageEventLine,
  MessageName,
} from "../types.js";

type Update = Extract<AgentEventLine, { type: "message_update" }>;

/** An event as a line of JSON, without the partial message: the full one follows with `message_end`. */
export function eventLine(event: AgentEvent): AgentEventLine {
  return event.type === "message_update" ? updateLine(event) : event;
}

/** An event for readers that receive stored messages separately: messages are named, streamed text is not repeated. */
export function stepLine(event: AgentEvent): AgentEventLine {
  switch (event.type) {
    case "agent_end":
    case "turn_end":
      return { type: event.type };
    case "message_start":
    case "message_end":
      return { type: event.type, message: messageName(event.message) };
    case "message_update": {
      const line = updateLine(event);
      const { assistantMessageEvent: step } = line;
      if (step.type !== "text_end" && step.type !== "thinking_end") return line;
      const { content: _, ...end } = step;
      return { type: line.type, assistantMessageEvent: end };
    }
    case "tool_execution_update": {
      const { args: _, ...rest } = event;
      return rest;
    }
    default:
      return event;
  }
}

function updateLine({
  type,
  assistantMessageEvent,
}: Extract<AgentEvent, { type: "message_update" }>): Update {
  const step = withoutPartial(assistantMessageEvent);
  if (step.type !== "toolcall_start") return { type, assistantMessageEvent: step };
  const call = assistantMessageEvent.partial.content[step.contentIndex];
  if (call?.type !== "toolCall") return { type, assistantMessageEvent: step };
  const { id = call.id, name = call.name } = step;
  return { type, assistantMessageEvent: { ...step, id, name } };
}

/** On disk and on a wire the partial message is written once, at the start. */
export function withoutPartial(event: AssistantMessageEvent): AssistantMessageEvent {
  // A literal for the most frequent event: rest copies are slower in Node 20.
  if ("delta" in event) return { type: event.type, contentIndex: event.contentIndex, delta: event.delta };
  if (!("contentIndex" in event)) return event;
  const { partial: _, ...rest } = event;
  return rest;
}

function messageName(message: AgentMessage): MessageName {
  const { role, id } = message;
  const { message: why, code } = failureIn(message) ?? {};
  return {
    role,
    ...(id === undefined ? {} : { id }),
    ...(why === undefined ? {} : { error: { message: why, ...(code === undefined ? {} : { code }) } }),
  };
}

type Delta = Extract<AssistantMessageEventLine, { delta: string }>;

/** Joins two deltas of the same block; undefined for any other two events. */
export function joinDeltas(
  first: AssistantMessageEventLine,
  second: AssistantMessageEventLine,
): Delta | undefined {
  if (!("delta" in first && "delta" in second)) return undefined;
  if (first.type !== second.type || first.contentIndex !== second.contentIndex) return undefined;
  return { ...first, delta: first.delta + second.delta };
}
