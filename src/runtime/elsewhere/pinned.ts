import { DragomanError } from "../../core/error.js";
import type { Lease, SessionLog } from "../../log/types.js";
import { MAIN } from "../agents.js";
import type { Runtime } from "../runtime.js";

/** What decides where an agent's sessions run. */
type Host = Pick<Runtime, "agents" | "owners">;

/**
 * The gateway that alone runs an agent's sessions, if it is not this process.
 * Throws if this process cannot pass messages on to it.
 */
export function pinnedElsewhere(agent: string, { agents, owners }: Host): string | undefined {
  const gateway = agents.gatewayOf(agent);
  if (gateway === undefined || gateway === owners?.me) return undefined;
  if (owners !== undefined) return gateway;
  throw new DragomanError("config/invalid", `the agent ${agent} runs only on the gateway at ${gateway}`, {
    hint: "use that gateway, or another one of the same store that was started with --advertise",
  });
}

/** Whether only another gateway runs a session. Reads nothing if that is true of no agent. */
export async function isPinnedElsewhere(id: string, host: Host & Pick<Runtime, "open">): Promise<boolean> {
  if (host.agents.ids.every((agent) => host.agents.gatewayOf(agent) === undefined)) return false;
  const { agent = MAIN } = (await host.open(id)).session.header;
  return pinnedElsewhere(agent, host) !== undefined;
}

/**
 * Waits for the lease of a session; calls `onWait` if another process holds it, or alone may. Undefined if the messages are
 * left to that one.
 */
export async function acquireLease(
  { id, header: { agent = MAIN } }: Pick<SessionLog, "id" | "header">,
  host: Host & Pick<Runtime, "log">,
  onWait: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const isElsewhere = pinnedElsewhere(agent, host) !== undefined;
  const free = isElsewhere ? undefined : await host.log.lease(id);
  if (free !== undefined) return free;
  return (await onWait()) || isElsewhere ? undefined : host.log.waitForLease(id, signal);
}
