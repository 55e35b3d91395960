import { showConversation } from "../core/shown/conversation.js";
import { headPrompt } from "../core/shown/system-prompt.js";
import type { AgentMessage } from "../core/types.js";

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
