import type { UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { Gateway } from "../types.js";
import type { Sent } from "./answer-streams.js";
import { branchThread } from "./branch.js";
import { clientIdOf, isNamed, onceKeyOf } from "./client-id.js";

/** A message, and the session in which it is answered. */
export interface Placed {
  conversation: Conversation;
  sent: Sent;
}

/**
 * Where the page's message belongs. A known id with the same content is the same message; with other content the user has
 * edited it, and the conversation branches off before it.
 */
export async function placeMessage(
  gateway: Pick<Gateway, "runtime">,
  conversation: Conversation,
  { id, message }: { id: string; message: UserMessage },
): Promise<Placed> {
  const known = (await conversation.messages()).findLast(
    (stored): stored is UserMessage => stored.role === "user" && isNamed(stored, id),
  );
  const sent = { message, idempotencyKey: onceKeyOf(id) };
  if (known === undefined) return { conversation, sent };
  if (JSON.stringify(known.content) !== JSON.stringify(message.content)) {
    return { conversation: await branchThread(gateway, conversation, known), sent };
  }
  return { conversation, sent: { message, idempotencyKey: onceKeyOf(clientIdOf(known) ?? id) } };
}
