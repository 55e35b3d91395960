import { agentOf, canonicalKey } from "../log/key.js";
import { noSession } from "../log/refusals.js";
import type { Conversation } from "../runtime/conversation.js";
import type { Runtime } from "../runtime/runtime.js";
import { mayUse } from "./auth/permit.js";
import { notFound } from "./refusals.js";
import type { Permit } from "./types.js";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The agent in a session key; undefined for a session id. */
export function agentInName(name: string): string | undefined {
  return ULID.test(name) ? undefined : agentOf(canonicalKey(name));
}

/** The id of the session with this key or id. */
export async function sessionIdNamed(log: Runtime["log"], name: string): Promise<string> {
  if (ULID.test(name)) return name;
  const id = await log.find(canonicalKey(name));
  if (id === undefined) throw notFound(`there is no session ${JSON.stringify(name)}`);
  return id;
}

/**
 * The conversation with this session key or id. If another program used the key, it continues in a copy made here, unless the
 * caller may only read: then it is not found, because no session of ours exists yet. Neither is a session of an agent that the
 * caller may not use.
 */
export async function conversationNamed(
  runtime: Runtime,
  name: string,
  permit: Permit,
): Promise<Conversation> {
  if (ULID.test(name)) return permitted(await runtime.open(name), name, permit);
  const key = canonicalKey(name);
  const known = await runtime.log.find(key);
  if (known !== undefined) return permitted(await runtime.open(known), name, permit);
  const mayCopy = permit.scope !== "read" && mayUse(permit, agentOf(key));
  const copy = mayCopy ? await runtime.continueForeign(key) : undefined;
  return permitted(copy ?? (await runtime.open(await sessionIdNamed(runtime.log, name))), name, permit);
}

/** The same; an unused key begins a session, if its agent exists. */
export async function conversationFor(runtime: Runtime, name: string, permit: Permit): Promise<Conversation> {
  const agent = agentInName(name);
  if (agent === undefined) return permitted(await runtime.open(name), name, permit);
  const key = newKey(runtime, name, permit);
  if (key === undefined) throw notFound(`there is no agent ${JSON.stringify(agent)}`);
  return permitted(await runtime.begin({ key, agent }), name, permit);
}

/** The key under which a session can begin; undefined for an id, and for an agent that is missing or not permitted. */
export function newKey(
  { agents }: Pick<Runtime, "agents">,
  name: string,
  permit: Permit,
): string | undefined {
  const agent = agentInName(name);
  const exists = agent !== undefined && agents.ids.includes(agent) && mayUse(permit, agent);
  return exists ? canonicalKey(name) : undefined;
}

function permitted(conversation: Conversation, name: string, permit: Permit): Conversation {
  if (mayUse(permit, conversation.session.header.agent)) return conversation;
  throw ULID.test(name) ? noSession(name) : notFound(`there is no session ${JSON.stringify(name)}`);
}

/** A session's name in events and answers. */
export function nameOf({ session }: Conversation): string {
  return session.header.key ?? session.id;
}
