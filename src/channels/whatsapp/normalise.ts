import { native } from "../checks.js";
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
  if (!native.is("WhatsAppMessage", message) || message.key.fromMe === true) return undefined;
  const { key, pushName } = message;
  const from = bareJid(key.remoteJid) ?? "";
  // Neither a person nor a group: a status, a newsletter, a broadcast.
  if (!isGroup(from) && !isPerson(from)) return undefined;
  const sender = isGroup(from)
    ? stableJid(key.participant ?? "", key.participantAlt)
    : stableJid(from, key.remoteJidAlt);
  if (sender === undefined || !isPerson(sender) || isMe(sender, me)) return undefined;
  const content = contentOf(message.message);
  if (content === undefined) return undefined;
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
