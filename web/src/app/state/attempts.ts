import type { RpcStored } from "dragoman/client";
import type { AgentMessage, UserMessage } from "dragoman/core";

/** The messages of a failed attempt: the request and everything that followed it. */
export type Attempt = readonly RpcStored[];

/** Requests that failed and were sent again, by the message that repeats them. */
export function failedAttempts(entries: readonly RpcStored[]): ReadonlyMap<AgentMessage, readonly Attempt[]> {
  const found = new Map<AgentMessage, readonly Attempt[]>();
  const requests = entries.flatMap(({ message }, at) => (message.role === "user" ? [{ message, at }] : []));
  for (const [index, { message, at }] of requests.entries()) {
    const before = requests[index - 1];
    if (before === undefined || !isSame(before.message, message)) continue;
    const attempt = entries.slice(before.at, at);
    if (!hasFailed(attempt)) continue;
    found.set(message, [...(found.get(before.message) ?? []), attempt]);
    found.delete(before.message);
  }
  return found;
}

/** The entries without those of failed attempts. */
export function withoutAttempts(
  entries: readonly RpcStored[],
  attempts: ReadonlyMap<AgentMessage, readonly Attempt[]>,
): readonly RpcStored[] {
  const hidden = new Set([...attempts.values()].flat(2));
  return hidden.size === 0 ? entries : entries.filter((entry) => !hidden.has(entry));
}

function isSame(one: UserMessage, other: UserMessage): boolean {
  return JSON.stringify(one.content) === JSON.stringify(other.content);
}

function hasFailed(attempt: Attempt): boolean {
  const last = attempt.findLast(({ message: { role } }) => role === "assistant" || role === "error")?.message;
  if (last?.role !== "assistant") return last !== undefined;
  return last.stopReason === "error" || last.stopReason === "aborted";
}
