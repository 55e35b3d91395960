import type { OpenClawMessage } from "../core/types.js";
import type { Chat } from "./types.js";

/**
 * Where a message was said, by its own fields. `ChatId` or `ChannelId` names the chat. Where neither is given, a group's id is
 * in `To`, and a direct chat is named by the person in `From`.
 */
export function chatOf(message: OpenClawMessage): Chat {
  const { ChatType: kind, From, To, MessageThreadId: thread } = message;
  const chat = chatIdOf(message) ?? (kind === "direct" ? From : To);
  return { kind, chat, ...(thread === undefined || thread === "" ? {} : { thread }) };
}

/** The id that the message gives of its chat, if any. */
export function chatIdOf({ ChatId, ChannelId }: OpenClawMessage): string | undefined {
  return [ChatId, ChannelId].map(idOf).find((id) => id !== undefined);
}

function idOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
