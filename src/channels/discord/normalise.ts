import { nativeChecks } from "../native-checks.js";
import { passedOnField } from "../passed-on.js";
import type { Bot, Chat, Normalised, Person } from "../types.js";
import { attachmentsOf, contentOf } from "./content.js";
import * as generated from "./generated/validators.js";
import type { Where } from "./where.js";
import type { DiscordMessage } from "./wire.js";

/** Who the bot is. */
export interface Me {
  id: string;
  /** The roles that are the bot's alone, one for each server: to mention one is to mention the bot. */
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

/** A message of Discord, as its gateway or its REST API gives it, as an OpenClaw message. */
export function normaliseDiscord(native: unknown, { id, roles = new Set(), where }: DiscordBot): Normalised {
  const message = checkNative("DiscordMessage", native);
  if ("misfit" in message) return { why: `it is not a message of Discord (${message.misfit})` };
  return normalise(message.value, where ?? locationOf(message.value), { id, roles });
}

function locationOf({ guild_id: server }: DiscordMessage): Where {
  return server === undefined ? { kind: "direct" } : { kind: "server", server };
}

/**
 * A message of Discord, or the reason why it is none: nobody said anything, or a bot did.
 *
 * @param where the place of its channel. A message does not tell: those that REST lists have no `guild_id`, wherever they are.
 */
export function normalise(message: DiscordMessage, where: Where, me: Me): Normalised {
  if (message.type !== DEFAULT_TYPE && message.type !== REPLY_TYPE) {
    return { why: `it is a service message (type ${message.type})` };
  }
  const { author, webhook_id } = message;
  if (author.id === me.id || author.bot === true || webhook_id !== undefined) {
    return { why: "a bot or a webhook wrote it" };
  }
  const seconds = Math.floor(Date.parse(message.timestamp) / 1000);
  const place = chatOf(message, where);
  const { text, passedOn } = contentOf(message);
  const attachments = attachmentsOf(message);
  if (text === "" && passedOn.length === 0 && attachments.length === 0) {
    return { why: "it says nothing: it has no text, file, sticker, poll or forwarded message" };
  }
  const [attachment] = attachments;
  const earlier = message.message_reference?.type === 1 ? undefined : message.message_reference?.message_id;
  const earlierText = message.referenced_message?.content ?? "";
  const edited = message.edited_timestamp ?? undefined;
  return {
    message: {
      From: author.id,
      To: place.kind === "direct" ? me.id : message.channel_id,
      ChatType: place.kind,
      ...(text !== "" && { Text: text }),
      ...passedOnField(passedOn),
      ...(attachment !== undefined && { MediaType: attachment.kind }),
      MessageId: message.id,
      ...(earlier !== undefined && { ReplyToId: earlier }),
      ...(earlierText !== "" && { ReplyToText: earlierText }),
      ...(place.thread !== undefined && { MessageThreadId: place.thread }),
      ...(seconds >= 0 && { Timestamp: seconds }),
      ...(where.kind === "server" && { GuildId: where.server }),
      ChannelId: place.chat,
    },
    id: edited === undefined ? message.id : `${message.id}+${edited}`,
    place,
    sender: personOf(author),
    attachments,
    addressed: place.kind === "direct" || isAddressed(message, me),
    ...(edited !== undefined && { edits: message.id }),
  };
}

function personOf({ id, username, global_name }: DiscordMessage["author"]): Person {
  const name = global_name ?? username;
  return { id, ...(name !== "" && { name }) };
}

function chatOf({ channel_id }: DiscordMessage, where: Where): Chat {
  if (where.kind === "direct") return { kind: "direct", chat: channel_id };
  return where.parent === undefined
    ? { kind: "channel", chat: channel_id }
    : { kind: "channel", chat: where.parent, thread: channel_id };
}

/** `@everyone` is no one in particular. */
function isAddressed(message: DiscordMessage, { id, roles }: Me): boolean {
  const { mentions = [], mention_roles = [], referenced_message } = message;
  return (
    mentions.some((user) => user.id === id) ||
    mention_roles.some((role) => roles.has(role)) ||
    referenced_message?.author.id === id
  );
}
