import type { Conversation } from "../../runtime/conversation.js";
import type { Runtime } from "../../runtime/runtime.js";
import { agentInName, conversationFor } from "../session-name.js";
import type { Permit } from "../types.js";
import { unservable } from "./failure.js";

/** Names an agent's session: in a request by key or id, in a reply by id. */
export const SESSION_HEADER = "x-dragoman-session";

/** The session that a request names, created if its key is new; a new session if it names none. */
export async function sessionOf(
  runtime: Runtime,
  agent: string,
  named: string | undefined,
  permit: Permit,
): Promise<Conversation> {
  if (named === undefined) return runtime.beginAsked({ agent });
  const inName = agentInName(named);
  if (inName !== undefined) checkAgent(agent, inName);
  const conversation = await conversationFor(runtime, named, permit);
  if (inName === undefined) checkAgent(agent, conversation.session.header.agent);
  return conversation;
}

function checkAgent(agent: string, owner: string | undefined): void {
  if (owner === agent) return;
  throw unservable("", `the session belongs to another agent; use the model agent/${owner ?? "main"}`);
}
