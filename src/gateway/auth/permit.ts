import { MAIN } from "../../runtime/agents.js";
import type { Permit } from "../types.js";

/** Whether a token may use an agent and its sessions. */
export function mayUse({ agents }: Permit, agent: string = MAIN): boolean {
  return agents?.includes(agent) ?? true;
}

/** The agents among these that a token may use. */
export function usableAgents(permit: Permit, agents: readonly string[]): string[] {
  return agents.filter((agent) => mayUse(permit, agent));
}
