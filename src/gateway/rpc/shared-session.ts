import type { MethodName } from "../../protocol/schema.js";
import { onlyShared } from "../refusals.js";

/** The methods of a token that is limited to one session. Those with a session name it by its id. */
const allowed: readonly MethodName[] = [
  "connect",
  "health",
  "sessions.get",
  "chat.history",
  "chat.subscribe",
  "chat.unsubscribe",
];

export function isForShared(method: MethodName): boolean {
  return allowed.includes(method);
}

/** Refuses everything but reading this session. */
export function requireShared(method: MethodName, params: object, session: string): void {
  if (!isForShared(method)) throw onlyShared();
  if ("sessionKey" in params && params.sessionKey !== session) throw onlyShared();
  if ("source" in params) throw onlyShared();
}
