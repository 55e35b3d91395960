import { showConversation } from "../core/shown/conversation.js";
import { headPrompt } from "../core/shown/system-prompt.js";
import type { AgentMessage } from "../core/types.js";

/**
 * The messages that a model is shown of a log: the system messages it begins with, then the conversation with what was
 * compacted replaced by its summary.
 *
 * @example
 * model.stream({ messages: contextOf(log) });
 */
export function contextOf(messages: readonly AgentMessage[]): AgentMessage[] {
  const shown = showConversation({ messages }).messages.map(({ message }) => message);
  return [...headPrompt(messages).taken, ...shown];
}
