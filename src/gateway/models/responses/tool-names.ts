import { isSynthesised } from "../../../core/message/neutral.js";
import type { AgentMessage } from "../../../core/types.js";

/** Adds the tool's name to results. A request has only the id of the call, and the call may be in the history. */
export function withToolNames(
  messages: readonly AgentMessage[],
  history: readonly AgentMessage[],
): readonly AgentMessage[] {
  if (!messages.some(isNameless)) return messages;
  const names = new Map<string, string>();
  for (const message of history) {
    if (message.role !== "assistant") continue;
    for (const block of message.content) if (block.type === "toolCall") names.set(block.id, block.name);
  }
  return messages.map((message) => {
    const name = message.role === "toolResult" ? names.get(message.toolCallId) : undefined;
    if (name === undefined || message.role !== "toolResult" || !isNameless(message)) return message;
    const { synthesised = [], ...ext } = message.ext ?? {};
    const left = synthesised.filter((pointer) => pointer !== "/toolName");
    return { ...message, toolName: name, ext: { ...ext, synthesised: left } };
  });
}

function isNameless(message: AgentMessage): boolean {
  return message.role === "toolResult" && isSynthesised(message, "/toolName");
}
