import { type AgentEvent, type AgentMessage, failureIn } from "../../src/core/index.js";

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
        if (message.stopReason === "error" && message.content.length === 0) {
          const failure = failureIn(message);
          return `failed answer ${failure?.code}: ${failure?.message}`;
        }
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

/** What a strict provider would refuse of a transcript: a call without its result right after it, answers in a row. */
export function transcriptProblems(messages: readonly AgentMessage[]): string[] {
  const spoken = messages.filter(
    ({ role }) => role === "user" || role === "assistant" || role === "toolResult",
  );
  const problems: string[] = [];
  let expected: string[] = [];
  let before: AgentMessage | undefined;
  for (const message of spoken) {
    if (message.role === "toolResult") {
      const id = expected.shift();
      if (id !== message.toolCallId) problems.push(`result ${message.toolCallId} stands where ${id} belongs`);
    } else {
      for (const id of expected) problems.push(`call ${id} has no result`);
      if (message.role === "assistant" && before?.role === "assistant") problems.push("two answers in a row");
      expected = [];
      if (message.role === "assistant") {
        expected = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
      }
    }
    before = message;
  }
  for (const id of expected) problems.push(`call ${id} has no result`);
  return problems;
}
