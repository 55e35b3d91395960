import { agentOf, canonicalKey } from "../log/key.js";
import type { Conversation } from "../runtime/conversation.js";
import type { Runtime } from "../runtime/runtime.js";
import { notFound } from "./refusals.js";
import type { Scope } from "./types.js";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The agent of a session that is named by its key; undefined if it is named by its id. */
export function agentInName(name: string): string | undefined {
  return ULID.test(name) ? undefined : agentOf(canonicalKey(name));
}

/** The id of a session that is named by its key or its id. */
export async function idNamed(log: Runtime["log"], name: string): Promise<string> {
  if (ULID.test(name)) return name;
  const id = await log.find(canonicalKey(name));
  if (id === undefined) throw notFound(`there is no session ${JSON.stringify(name)}`);
  return id;
}

/**
 * The conversation of a session's key or id. A key that another program has used is continued in a copy, made here, unless the
 * caller may only read: then it is refused, as there is nothing of ours to read yet.
 */
export async function conversationNamed(runtime: Runtime, name: string, scope: Scope): Promise<Conversation> {
  if (ULID.test(name)) return runtime.open(name);
  const key = canonicalKey(name);
  const known = await runtime.log.find(key);
  if (known !== undefined) return runtime.open(known);
  const copy = scope === "read" ? undefined : await runtime.continueForeign(key);
  return copy ?? runtime.open(await idNamed(runtime.log, name));
}

/** The same; a key that nobody has used yet begins a session, if there is such an agent. */
export async function conversationFor(runtime: Runtime, name: string): Promise<Conversation> {
  const agent = agentInName(name);
  if (agent === undefined) return runtime.open(name);
  const key = newKey(runtime, name);
  if (key === undefined) throw notFound(`there is no agent ${JSON.stringify(agent)}`);
  return runtime.begin({ key, agent });
}

/** The key under which a session can begin; undefined for an id, and for an agent that does not exist. */
export function newKey({ agents }: Pick<Runtime, "agents">, name: string): string | undefined {
  const agent = agentInName(name);
  return agent !== undefined && agents.ids.includes(agent) ? canonicalKey(name) : undefined;
}

/** How events and answers name a session. */
export function nameOf({ session }: Conversation): string {
  return session.header.key ?? session.id;
}
