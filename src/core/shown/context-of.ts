import type { AgentMessage } from "../types.js";
import { showConversation } from "./conversation.js";
import { headPrompt } from "./system-prompt.js";

/**
 * The part of a log that a model is shown: the leading system messages, then the conversation, with the compacted part
 * replaced by its summary.
 *
 * @example
 * model.stream({ messages: contextOf(log) });
 */
export function contextOf(messages: readonly AgentMessage[]): AgentMessage[] {
  const shown = showConversation({ messages }).messages.map(({ message }) => message);
  return [...headPrompt(messages).taken, ...shown];
}
