import { defined } from "../../core/json/defined.js";
import { nativeChecks } from "../native-checks.js";
import { passedOnField } from "../passed-on.js";
import type { Bot, Chat, Normalised, Person } from "../types.js";
import { attachmentsOf, contentOf } from "./content.js";
import * as generated from "./generated/validators.js";
import type { Where } from "./where.js";
import type { DiscordMessage } from "./wire.js";

export interface Me {
  id: string;
  /** The bot's own role in each server: mentioning it mentions the bot. */
  roles: ReadonlySet<string>;
}

const DEFAULT_TYPE = 0;
const REPLY_TYPE = 19;

export const checkNative = nativeChecks(generated);

export interface DiscordBot extends Bot {
  roles?: ReadonlySet<string>;
  /**
   * Where the message's channel is. Default: as the gateway's events state it, a server if the message has a `guild_id` and a
   * direct chat otherwise. Messages that the REST API lists have none wherever they are, and need it; so do threads.
   */
  where?: Where;
}

/** Reads a Discord message, from the gateway or the REST API. */
export function normaliseDiscord(native: unknown, { id, roles = new Set(), where }: DiscordBot): Normalised {
  const message = checkNative("DiscordMessage", native);
  if ("misfit" in message) return { why: `it is not a Discord message (${message.misfit})` };
  const { guild_id: server } = message.value;
  const location: Where = server === undefined ? { kind: "direct" } : { kind: "server", server };
  return normalise(message.value, where ?? location, { id, roles });
}

/**
 * Reads a message; it may be a service message, or come from a bot.
 *
 * @param where its channel's location, which the message does not always state: REST omits `guild_id`
 */
export function normalise(message: DiscordMessage, where: Where, me: Me): Normalised {
  if (message.type !== DEFAULT_TYPE && message.type !== REPLY_TYPE) {
    return { why: `it is a service message (type ${message.type})` };
  }
  const { author, webhook_id } = message;
  if (author.id === me.id || author.bot === true || webhook_id !== undefined) {
    return { why: "it was written by a bot or a webhook" };
  }
  const seconds = Math.floor(Date.parse(message.timestamp) / 1000);
  const place = chatOf(message, where);
  const { text, passedOn } = contentOf(message);
  const attachments = attachmentsOf(message);
  if (text === "" && passedOn.length === 0 && attachments.length === 0) {
    return { why: "it has no text, file, sticker, poll or forwarded message" };
  }
  const earlier = message.message_reference?.type === 1 ? undefined : message.message_reference?.message_id;
  const earlierText = message.referenced_message?.content ?? "";
  const edited = message.edited_timestamp ?? undefined;
  return {
    message: defined({
      From: author.id,
      To: place.kind === "direct" ? me.id : message.channel_id,
      ChatType: place.kind,
      Text: text === "" ? undefined : text,
      ...passedOnField(passedOn),
      MediaType: attachments[0]?.kind,
      MessageId: message.id,
      ReplyToId: earlier,
      ReplyToText: earlierText === "" ? undefined : earlierText,
      MessageThreadId: place.thread,
      Timestamp: seconds >= 0 ? seconds : undefined,
      GuildId: where.kind === "server" ? where.server : undefined,
      ChannelId: place.chat,
    }),
    id: edited === undefined ? message.id : `${message.id}+${edited}`,
    place,
    sender: personOf(author),
    attachments,
    addressed: place.kind === "direct" || isAddressed(message, me),
    ...(edited !== undefined && { edits: message.id }),
  };
}

export function personOf({ id, username, global_name }: DiscordMessage["author"]): Person {
  const name = global_name ?? username;
  return { id, ...(name !== "" && { name }) };
}

export function chatOf({ channel_id }: Pick<DiscordMessage, "channel_id">, where: Where): Chat {
  if (where.kind === "direct") return { kind: "direct", chat: channel_id };
  return where.parent === undefined
    ? { kind: "channel", chat: channel_id }
    : { kind: "channel", chat: where.parent, thread: channel_id };
}

/** `@everyone` does not count as a mention of the bot. */
function isAddressed(message: DiscordMessage, { id, roles }: Me): boolean {
  const { mentions = [], mention_roles = [], referenced_message } = message;
  return (
    mentions.some((user) => user.id === id) ||
    mention_roles.some((role) => roles.has(role)) ||
    referenced_message?.author.id === id
  );
}
