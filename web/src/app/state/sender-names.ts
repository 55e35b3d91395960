import type { RpcSessionInfo } from "dragoman/client";
import type { AgentMessage } from "dragoman/core";

/** The default agent, which is not named. */
const MAIN = "main";

/** The display names of a session's senders. */
export interface SenderNames {
  /** The answering agent, unless it is the default one. */
  agent?: string;
  /** The session that started this one sends under its id and is shown under its agent's name. */
  starter?: { id: string; name: string };
}

export function namesIn(
  { agent, parent }: RpcSessionInfo,
  starter: Pick<RpcSessionInfo, "id" | "agent"> | undefined,
): SenderNames {
  return {
    ...(agent === MAIN ? {} : { agent }),
    ...(parent === undefined || starter === undefined
      ? {}
      : { starter: { id: starter.id, name: starter.agent } }),
  };
}

/** The message with its sender's display name. */
export function withSenderName<M extends AgentMessage>(message: M, { agent, starter }: SenderNames): M {
  if (message.sender !== undefined && message.sender === starter?.id)
    return { ...message, sender: starter.name };
  const isAnswer = message.role === "assistant" && message.sender === undefined;
  return isAnswer && agent !== undefined ? { ...message, sender: agent } : message;
}
