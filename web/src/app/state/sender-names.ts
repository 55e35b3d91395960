import type { RpcSessionInfo } from "dragoman/client";
import type { AgentMessage } from "dragoman/core";

/** Who people mean when nothing is said of an agent. */
const MAIN = "main";

/** How those who speak in a session are called. */
export interface SenderNames {
  /** The agent that answers, unless it is the usual one. */
  agent?: string;
  /** The session that started this one speaks by its id, and is called by the name of its agent. */
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

/** The message as it is shown, with the name of who said it. */
export function named<M extends AgentMessage>(message: M, { agent, starter }: SenderNames): M {
  if (message.sender !== undefined && message.sender === starter?.id)
    return { ...message, sender: starter.name };
  const isAnswer = message.role === "assistant" && message.sender === undefined;
  return isAnswer && agent !== undefined ? { ...message, sender: agent } : message;
}
