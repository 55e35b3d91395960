import type { AgentMessage } from "../../core/types.js";

/**
 * Whether a message shares a wire message with the one before it: the results of one answer's calls must be in one
 * message, and the user's next content follows them in it.
 */
export function sharesTurn(last: AgentMessage | undefined, next: AgentMessage): boolean {
  if (last?.role !== "toolResult") return false;
  return next.role === "toolResult" || (next.role === "user" && next.content.length > 0);
}
