import { misfit, native } from "../checks.js";
import { messageIn, type Normalised } from "../normalised.js";
import { passedOnField } from "../passed-on.js";
import type { Inbound } from "../types.js";
import { contentOf, integerOf } from "./content.js";
import { bareJid, isGroup, isPerson, stableJid } from "./jid.js";

/** The bot's own ids: by phone number, and the one that hides it. */
export interface Me {
  id: string;
  lid?: string;
}

/** A message of Baileys; undefined where nobody said anything, or we did. */
export function normalise(message: unknown, me: Me): Inbound | undefined {
  return messageIn(readMessage(message, me));
}

/** The same, with the reason why it is not a message. */
export function readMessage(message: unknown, me: Me): Normalised {
  const problem = misfit("WhatsAppMessage", message);
  if (problem !== undefined) return { why: `it is not a message of Baileys (${problem})` };
  if (!native.is("WhatsAppMessage", message)) return { why: "it is not a message of Baileys" };
  if (message.key.fromMe === true) return { why: "the account wrote it itself" };
  const { key, pushName } = message;
  const from = bareJid(key.remoteJid) ?? "";
  // Neither a person nor a group: a status, a newsletter, a broadcast.
  if (!isGroup(from) && !isPerson(from)) return { why: "its chat is neither a person nor a group" };
  const sender = isGroup(from)
    ? stableJid(key.participant ?? "", key.participantAlt)
    : stableJid(from, key.remoteJidAlt);
  if (sender === undefined || !isPerson(sender)) return { why: "it does not name the person who wrote it" };
  if (isMe(sender, me)) return { why: "the account wrote it itself" };
  const content = contentOf(message.message);
  if (content === undefined) {
    return {
      why: "it says nothing: it is a reaction, a message of the protocol, or of a kind that is not supported",
    };
  }
  const { text, passedOn, file, quoted, mentioned, edits } = content;
  const kind = isGroup(from) ? "group" : "direct";
  const chat = kind === "group" ? from : sender;
  const seconds = integerOf(message.messageTimestamp);
  return {
    message: {
      From: sender,
      To: bareJid(me.id) ?? me.id,
      ChatType: kind,
      ...(text !== undefined && { Text: text }),
      ...passedOnField(passedOn),
      ...(file !== undefined && { MediaType: file.kind }),
      ...(quoted !== undefined && { ReplyToId: quoted.id }),
      ...(quoted?.text !== undefined && { ReplyToText: quoted.text }),
      MessageId: edits ?? key.id,
      ...(seconds !== undefined && { Timestamp: seconds }),
      ...(kind === "group" && { ChatId: chat }),
    },
    id: key.id,
    place: { kind, chat },
    sender: { id: sender, ...(typeof pushName === "string" && pushName !== "" && { name: pushName }) },
    attachments: file === undefined ? [] : [file],
    addressed:
      kind === "direct" ||
      mentioned.some((jid) => isMe(jid, me)) ||
      (quoted?.sender !== undefined && isMe(quoted.sender, me)),
    ...(edits !== undefined && { edits }),
  };
}

function isMe(jid: string, me: Me): boolean {
  const bare = bareJid(jid);
  return bare !== undefined && (bare === bareJid(me.id) || bare === bareJid(me.lid ?? ""));
}
