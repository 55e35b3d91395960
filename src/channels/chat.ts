import type { OpenClawMessage } from "../core/types.js";
import type { Chat } from "./types.js";

/**
 * The chat a message was written in. `ChatId` or `ChannelId` is its id; without them it is `To` for a group and `From` for a
 * direct chat.
 */
export function chatOf(message: OpenClawMessage): Chat {
  const { ChatType: kind, From, To, MessageThreadId: thread } = message;
  const chat = chatIdOf(message) ?? (kind === "direct" ? From : To);
  return { kind, chat, ...(thread === undefined || thread === "" ? {} : { thread }) };
}

/** The chat id stated in the message, if any. */
export function chatIdOf({ ChatId, ChannelId }: OpenClawMessage): string | undefined {
  return [ChatId, ChannelId].map(idOf).find((id) => id !== undefined);
}

function idOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
