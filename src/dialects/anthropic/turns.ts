import type { AgentMessage } from "../../core/types.js";

/**
 * Whether a message goes into the same message of the wire as the one before it: the results of one answer's calls
 * must come together, and what the user says then comes after them in the same message.
 */
export function sharesTurn(last: AgentMessage | undefined, next: AgentMessage): boolean {
  if (last?.role !== "toolResult") return false;
  return next.role === "toolResult" || (next.role === "user" && next.content.length > 0);
}
