import { idsOf } from "../../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { Sent } from "../front-ends/answer-streams.js";
import { branchThread } from "../front-ends/branch.js";
import { notFound } from "../refusals.js";
import type { Gateway } from "../types.js";
import { onceKeyOf, uiIdOf } from "./history.js";
import type { ChatRequest } from "./request.js";

/** A message, and the session in which it is answered. */
interface Placed {
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
  { id, message }: Extract<ChatRequest, { kind: "message" }>,
): Promise<Placed> {
  const known = (await conversation.messages()).findLast(
    (stored): stored is UserMessage => stored.role === "user" && isNamed(stored, id),
  );
  const sent = { message, idempotencyKey: onceKeyOf(id) };
  if (known === undefined) return { conversation, sent };
  if (JSON.stringify(known.content) !== JSON.stringify(message.content)) {
    return { conversation: await branchThread(gateway, conversation, known), sent };
  }
  return { conversation, sent: { message, idempotencyKey: onceKeyOf(uiIdOf(known) ?? id) } };
}

/** The question whose answer is generated again, in a branch that begins before it. */
export async function placeRegeneration(
  gateway: Pick<Gateway, "runtime">,
  conversation: Conversation,
  { messageId }: Extract<ChatRequest, { kind: "regenerate" }>,
): Promise<Placed> {
  const prompt = promptOf(await conversation.messages(), messageId);
  if (prompt === undefined) {
    throw notFound(
      messageId === undefined
        ? "the chat has no message to answer again"
        : `the chat has no message ${JSON.stringify(messageId)}`,
    );
  }
  const { id: _, ext, ...message } = prompt;
  const { sent: __, ...notes } = ext ?? {};
  const idempotencyKey = onceKeyOf(uiIdOf(prompt) ?? "");
  return {
    conversation: await branchThread(gateway, conversation, prompt),
    sent: {
      message: { ...message, ...(Object.keys(notes).length === 0 ? {} : { ext: notes }) },
      idempotencyKey,
    },
  };
}

/** The user message with this id, or the one that the answer with this id answers (default: the last one). */
function promptOf(messages: readonly AgentMessage[], messageId: string | undefined): UserMessage | undefined {
  const at =
    messageId === undefined
      ? messages.length - 1
      : messages.findLastIndex((message) =>
          message.role === "user" ? isNamed(message, messageId) : message.id === messageId,
        );
  return messages.slice(0, at + 1).findLast((message): message is UserMessage => message.role === "user");
}

function isNamed(message: UserMessage, id: string): boolean {
  return uiIdOf(message) === id || idsOf(message).includes(id);
}
