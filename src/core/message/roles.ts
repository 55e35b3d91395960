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

/** Whether the model itself has this role; others are added by programs. */
export function isKnownRole(role: string): boolean {
  return roles.has(role);
}
