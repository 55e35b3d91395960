const roles: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "toolResult",
  "session",
  "system",
  "status",
  "error",
  "agentComplete",
  "agentMessage",
  "compaction",
  "custom",
]);

/** Whether this is one of the model's own roles; programs can add others. */
export function isKnownRole(role: string): boolean {
  return roles.has(role);
}
