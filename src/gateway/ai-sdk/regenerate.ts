import type { AgentMessage, UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { branchThread } from "../front-ends/branch.js";
import { clientIdOf, isNamed, onceKeyOf } from "../front-ends/client-id.js";
import type { Placed } from "../front-ends/place-message.js";
import { notFound } from "../refusals.js";
import type { Gateway } from "../types.js";
import type { ChatRequest } from "./request.js";

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
  const idempotencyKey = onceKeyOf(clientIdOf(prompt) ?? "");
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
