import type { TelegramMessage } from "./wire.js";

/** The bot, from `getMe`. */
export interface Me {
  id: number;
  username?: string;
}

/** The message this one replies to. In a topic, every message formally replies to the topic's first one; that is ignored. */
export function repliedMessage({
  reply_to_message: earlier,
}: TelegramMessage): TelegramMessage["reply_to_message"] {
  return earlier?.forum_topic_created === undefined ? earlier : undefined;
}

/** True if the message mentions the bot (`@bot`, `/help@bot`, a link to it) or replies to it. */
export function isAddressed(message: TelegramMessage, me: Me): boolean {
  if (repliedMessage(message)?.from?.id === me.id) return true;
  const words = message.text ?? message.caption ?? "";
  const entities = message.text === undefined ? message.caption_entities : message.entities;
  const name = me.username === undefined ? undefined : `@${me.username.toLowerCase()}`;
  return (entities ?? []).some(({ type, offset, length, user }) => {
    const marked = words.slice(offset, offset + length).toLowerCase();
    switch (type) {
      case "mention":
        return marked === name;
      case "bot_command":
        return name !== undefined && marked.endsWith(name);
      case "text_mention":
        return user?.id === me.id;
      default:
        return false;
    }
  });
}
