import type { TelegramMessage } from "./wire.js";

/** The bot, as `getMe` tells. */
export interface Me {
  id: number;
  username?: string;
}

/** The message that this one answers. In a topic everything "answers" the topic's beginning, which means nothing. */
export function repliedMessage({
  reply_to_message: earlier,
}: TelegramMessage): TelegramMessage["reply_to_message"] {
  return earlier?.forum_topic_created === undefined ? earlier : undefined;
}

/** The bot is named (`@bot`, `/help@bot`, a link to it), or what it said is answered. */
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
