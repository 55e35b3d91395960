import type { AgentFilter } from "../../log/catalogue/types.js";
import { MAIN } from "../../runtime/agents.js";
import type { Permit } from "../types.js";

/**
 * The agent under whose name the responses of models are stored. Its sessions are of many tokens: only scope `admin` sees all
 * of them, and `/v1/responses` shows each token its own.
 */
export const STORE_AGENT = "responses-api";

/** Whether a token may use an agent and its sessions. */
export function mayUse({ scope, agents }: Permit, agent: string = MAIN): boolean {
  if (agent === STORE_AGENT && scope !== "admin") return false;
  return agents?.includes(agent) ?? true;
}

/** Limits a listing to the sessions of agents that a token may use. */
export function agentFilter({ scope, agents }: Permit): AgentFilter {
  return {
    ...(agents === undefined ? {} : { agents }),
    ...(scope === "admin" ? {} : { except: STORE_AGENT }),
  };
}

/** The agents among these that a token may use. */
export function usableAgents(permit: Permit, agents: readonly string[]): string[] {
  return agents.filter((agent) => mayUse(permit, agent));
}
