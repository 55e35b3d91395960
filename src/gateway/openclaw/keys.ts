import { canonicalKey } from "../../log/key.js";
import { MAIN } from "../../runtime/agents.js";
import type { Runtime } from "../../runtime/runtime.js";
import { agentInName } from "../session-name.js";
import type { Params } from "./params.js";

/** The session that parameters name. */
export function keyIn(params: Params, name: "key" | "sessionKey"): string {
  return keyNamed(params.text(name), params.optionalText("agentId"));
}

/** The key for a name that clients use: a key, a session's id, or a short name such as `main` of an agent. */
export function keyNamed(name: string, agent = MAIN): string {
  const isWhole = name.startsWith("agent:") || /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(name);
  const key = isWhole ? name : `agent:${agent}:${name}`;
  return agentInName(key) === undefined ? key : canonicalKey(key);
}

/** The id of the session with this name; undefined if it does not exist yet. */
export async function existing({ log }: Pick<Runtime, "log">, key: string): Promise<string | undefined> {
  return agentInName(key) === undefined ? key : log.find(key);
}
