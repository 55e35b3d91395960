import { agentOf, canonicalKey } from "../../log/key.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { Runtime } from "../../runtime/runtime.js";
import { refuse } from "./failure.js";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The conversation of a session's key or id. */
export async function conversationNamed(runtime: Runtime, name: string): Promise<Conversation> {
  if (ULID.test(name)) return runtime.open(name);
  const id = await runtime.log.find(canonicalKey(name));
  if (id === undefined) throw refuse("not_found", `there is no session ${JSON.stringify(name)}`);
  return runtime.open(id);
}

/** The same; a key that nobody has used yet begins a session, if there is such an agent. */
export async function conversationFor(runtime: Runtime, name: string): Promise<Conversation> {
  if (ULID.test(name)) return runtime.open(name);
  const key = canonicalKey(name);
  const agent = agentOf(key);
  if (!runtime.agents.ids.includes(agent)) {
    throw refuse("not_found", `there is no agent ${JSON.stringify(agent)}`);
  }
  return runtime.begin({ key, agent });
}

/** How events and answers name a session. */
export function nameOf({ session }: Conversation): string {
  return session.header.key ?? session.id;
}
