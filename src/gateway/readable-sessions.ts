import type { SessionSummary } from "../log/catalogue/types.js";
import { ReadableSessions } from "../runtime/sources/readable-sessions.js";
import { sourcesOf } from "../runtime/sources/sources.js";
import { agentFilter, mayUse } from "./auth/permit.js";
import { includesScope } from "./auth/scope.js";
import type { Gateway, Permit } from "./types.js";

/** Whether a token may read the sessions of other programs. */
export function ownsComputer({ agents, scope }: Permit): boolean {
  return agents === undefined && includesScope(scope, "admin");
}

/** The sessions that a token may read. Only the owner of the computer sees those of other programs. */
export function readableSessions({ runtime, logger }: Gateway, permit: Permit): ReadableSessions {
  const { log, catalogue, config } = runtime;
  const isOwner = ownsComputer(permit);
  return new ReadableSessions({
    log,
    catalogue,
    sources: async () => (isOwner ? sourcesOf(config, process.env, (text) => logger.warn({}, text)) : []),
    filter: agentFilter(permit),
    mayRead: ({ agent }: SessionSummary) => mayUse(permit, agent),
  });
}
