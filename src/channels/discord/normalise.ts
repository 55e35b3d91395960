import { misfit, native } from "../checks.js";
import { messageIn, type Normalised } from "../normalised.js";
import { passedOnField } from "../passed-on.js";
import type { Inbound, Person, Place } from "../types.js";
import { attachmentsOf, contentOf } from "./content.js";
import type { DiscordMessage } from "./wire.js";

/** What has to be known to read a message: who the bot is, and what Discord says of its servers only once. */
export interface Known {
  id: string;
  /** The roles that are the bot's alone, one for each server: to mention one is to mention the bot. */
  roles: ReadonlySet<string>;
  /** Threads are channels; here is the channel that each one is in. */
  threads: ReadonlyMap<string, string>;
}

const DEFAULT_TYPE = 0;
const REPLY_TYPE = 19;

/** A message of Discord; undefined where nobody said anything, or a bot did. */
export function normalise(message: unknown, known: Known): Inbound | undefined {
  return messageIn(readMessage(message, known));
}

/** The same, with the reason why it is not a message. */
export function readMessage(message: unknown, known: Known): Normalised {
  const problem = misfit("DiscordMessage", message);
  if (problem !== undefined) return { why: `it is not a message of Discord (${problem})` };
  if (!native.is("DiscordMessage", message)) return { why: "it is not a message of Discord" };
  if (message.type !== DEFAULT_TYPE && message.type !== REPLY_TYPE) {
    return { why: `it is a service message (type ${message.type})` };
  }
  const { author, webhook_id } = message;
  if (author.id === known.id || author.bot === true || webhook_id !== undefined) {
    return { why: "a bot or a webhook wrote it" };
  }
  const seconds = Math.floor(Date.parse(message.timestamp) / 1000);
  const place = placeOf(message, known);
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
      To: place.kind === "direct" ? known.id : message.channel_id,
      ChatType: place.kind,
      ...(text !== "" && { Text: text }),
      ...passedOnField(passedOn),
      ...(attachment !== undefined && { MediaType: attachment.kind }),
      MessageId: message.id,
      ...(earlier !== undefined && { ReplyToId: earlier }),
      ...(earlierText !== "" && { ReplyToText: earlierText }),
      ...(place.thread !== undefined && { MessageThreadId: place.thread }),
      ...(seconds >= 0 && { Timestamp: seconds }),
      ...(message.guild_id !== undefined && { GuildId: message.guild_id }),
      ChannelId: place.chat,
    },
    id: edited === undefined ? message.id : `${message.id}+${edited}`,
    place,
    sender: personOf(author),
    attachments,
    addressed: place.kind === "direct" || isAddressed(message, known),
    ...(edited !== undefined && { edits: message.id }),
  };
}

function personOf({ id, username, global_name }: DiscordMessage["author"]): Person {
  const name = global_name ?? username;
  return { id, ...(name !== "" && { name }) };
}

/** Bots have no group chats: what is in no server is between the two of them. */
function placeOf({ guild_id, channel_id }: DiscordMessage, { threads }: Known): Place {
  if (guild_id === undefined) return { kind: "direct", chat: channel_id };
  const parent = threads.get(channel_id);
  return parent === undefined
    ? { kind: "channel", chat: channel_id }
    : { kind: "channel", chat: parent, thread: channel_id };
}

/** `@everyone` is no one in particular. */
function isAddressed(message: DiscordMessage, { id, roles }: Known): boolean {
  const { mentions = [], mention_roles = [], referenced_message } = message;
  return (
    mentions.some((user) => user.id === id) ||
    mention_roles.some((role) => roles.has(role)) ||
    referenced_message?.author.id === id
  );
}
