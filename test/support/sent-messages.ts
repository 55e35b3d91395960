import { showConversation } from "../../src/core/shown/conversation.js";
import type { AgentMessage, Loss, Message } from "../../src/core/types.js";
import { adjust } from "../../src/providers/adjust/adjust.js";
import type { Target } from "../../src/providers/adjust/target.js";

/** The messages that a request to a model is made of. */
export function sentMessages(
  messages: readonly AgentMessage[],
  target: Target,
  report: (loss: Loss) => void,
): Message[] {
  return adjust(showConversation({ messages }, report).messages, target, report).map(
    ({ message }) => message,
  );
}
