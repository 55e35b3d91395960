import { canonicalKey } from "../../log/key.js";
import { MAIN } from "../../runtime/agents.js";
import type { Runtime } from "../../runtime/runtime.js";
import { agentInName } from "../session-name.js";
import type { Params } from "./params.js";

/** The session that parameters name: a key, a session's id, or a short name such as `main` of an agent. */
export function keyIn(params: Params, name: "key" | "sessionKey"): string {
  const given = params.text(name);
  const agent = params.optionalText("agentId") ?? MAIN;
  const isWhole = given.startsWith("agent:") || /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(given);
  const key = isWhole ? given : `agent:${agent}:${given}`;
  return agentInName(key) === undefined ? key : canonicalKey(key);
}

/** The id of the session with this name; undefined if it does not exist yet. */
export async function existing({ log }: Pick<Runtime, "log">, key: string): Promise<string | undefined> {
  return agentInName(key) === undefined ? key : log.find(key);
}
