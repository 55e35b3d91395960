import type { AgentMessage, UserMessage } from "../src/core/types.js";
import type { Conversation } from "../src/runtime/conversation.js";
import type { ConversationEvent } from "../src/runtime/types.js";

export function user(content: string): UserMessage {
  return { role: "user", content, timestamp: 1_740_000_000_000 };
}

/** `user: hi` for each line of the conversation; notes and the header by their role alone. */
export function told(messages: readonly AgentMessage[]): string[] {
  return messages.map((message) => {
    switch (message.role) {
      case "user":
        return `user: ${message.content}`;
      case "assistant":
        return `assistant (${message.stopReason}): ${message.content
          .map((block) => (block.type === "text" ? block.text : block.type))
          .join("|")}`;
      case "toolResult":
        return `toolResult${message.isError ? " (error)" : ""}`;
      case "error":
        return `error: ${message.code}`;
      default:
        return message.role;
    }
  });
}

/** Resolves with the first event that fits. */
export function event(
  conversation: Conversation,
  wanted: (event: ConversationEvent) => boolean,
): Promise<ConversationEvent> {
  return new Promise((resolve) => {
    const stop = conversation.watch((seen) => {
      if (!wanted(seen)) return;
      stop();
      resolve(seen);
    });
  });
}

export function isText(seen: ConversationEvent): boolean {
  return (
    seen.type === "agent" &&
    seen.event.type === "message_update" &&
    seen.event.assistantMessageEvent.type === "text_delta"
  );
}
