import { sessionKey } from "../../log/key.js";
import type { Conversation } from "../../runtime/conversation.js";
import { mayUse } from "../auth/permit.js";
import { badRequest, notFound } from "../refusals.js";
import { agentInName, conversationFor, conversationNamed } from "../session-name.js";
import type { Gateway, Permit } from "../types.js";

/** The channel in the keys of sessions that pages begin. All front ends share it: the same id is the same session. */
const CHANNEL = "page";
const MAX_ID_LENGTH = 256;
/** A session's id, or its key. */
const NAMED = /^(agent:|[0-7][0-9A-HJKMNP-TV-Z]{25}$)/;

/** A thread of a page: an id that the page has chosen, or the name of a session. */
export interface ThreadName {
  agent: string;
  id: string;
  permit: Permit;
}

/** The conversation with this id, created if it is new. */
export async function openThread(
  { runtime }: Pick<Gateway, "runtime">,
  name: ThreadName,
): Promise<Conversation> {
  const key = checkedKey(runtime, name);
  return ofAgent(await conversationFor(runtime, key, name.permit), name);
}

/** The conversation with this id; undefined if it does not exist yet. */
export async function findThread(
  { runtime }: Pick<Gateway, "runtime">,
  name: ThreadName,
): Promise<Conversation | undefined> {
  const key = checkedKey(runtime, name);
  const isOwn = key !== name.id;
  if (isOwn && (await runtime.log.find(key)) === undefined) return undefined;
  return ofAgent(await conversationNamed(runtime, key, name.permit), name);
}

function checkedKey({ agents }: Gateway["runtime"], { agent, id, permit }: ThreadName): string {
  if (!agents.ids.includes(agent) || !mayUse(permit, agent)) {
    throw notFound(`there is no agent ${JSON.stringify(agent)}`);
  }
  if (id === "" || id.length > MAX_ID_LENGTH) {
    throw badRequest(`a chat's id must have between 1 and ${MAX_ID_LENGTH} characters`);
  }
  if (!NAMED.test(id)) return sessionKey({ agent, channel: CHANNEL, kind: "dm", peer: id });
  const inName = agentInName(id);
  if (inName !== undefined && inName !== agent) throw otherAgent(agent);
  return id;
}

function ofAgent(conversation: Conversation, { agent }: ThreadName): Conversation {
  if ((conversation.session.header.agent ?? "main") !== agent) throw otherAgent(agent);
  return conversation;
}

function otherAgent(agent: string): Error {
  return notFound(`the session belongs to another agent than ${JSON.stringify(agent)}`);
}
