import type { AgentEvent, AgentMessage } from "../../src/core/index.js";

/** The kinds of events in a line: those of a message with its role, updates of one message as one. */
export function outline(list: readonly AgentEvent[]): string[] {
  const lines = list.map((event) => {
    switch (event.type) {
      case "message_start":
      case "message_end":
        return `${event.type} ${event.message.role}`;
      case "tool_execution_start":
      case "tool_execution_end":
        return `${event.type} ${event.toolCallId}`;
      default:
        return event.type;
    }
  });
  return lines.filter((line, index) => line !== "message_update" || lines[index - 1] !== line);
}

/** A transcript in short. */
export function brief(messages: readonly AgentMessage[]): string[] {
  return messages.map((message) => {
    switch (message.role) {
      case "assistant":
        return `assistant ${message.stopReason}: ${message.content.map((block) => (block.type === "text" ? block.text : block.type === "toolCall" ? block.id : block.type)).join(" ")}`;
      case "toolResult":
        return `${message.isError ? "failed" : "result"} ${message.toolCallId}: ${message.content.map((block) => (block.type === "text" ? block.text : block.type)).join(" ")}`;
      case "error":
        return `error ${message.code}: ${message.content}`;
      default:
        return "content" in message ? `${message.role}: ${message.content}` : message.role;
    }
  });
}
