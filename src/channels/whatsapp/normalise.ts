import { native } from "../checks.js";
import type { Inbound, Place } from "../types.js";
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
  const chat = isGroup(key.remoteJid)
    ? key.remoteJid
    : stableJid(key.remoteJid, isPerson(key.remoteJid) ? key.remoteJidAlt : undefined);
  // Neither a person nor a group: a status, a newsletter, a broadcast.
  if (chat === undefined || !(isGroup(chat) || isPerson(chat))) return undefined;
  const sender = isGroup(chat) ? stableJid(key.participant ?? "", key.participantAlt) : chat;
  if (sender === undefined || !isPerson(sender) || isMe(sender, me)) return undefined;
  const content = contentOf(message.message);
  if (content === undefined || (content.text === undefined && content.kind === undefined)) return undefined;
  const { text, kind, file, mimeType, name, bytes, quoted, mentioned, edits } = content;
  const place: Place = { kind: isGroup(chat) ? "group" : "direct", chat };
  const seconds = integerOf(message.messageTimestamp);
  return {
    message: {
      From: sender,
      To: me.id,
      ChatType: place.kind,
      ...(text !== undefined && { Text: text }),
      ...(kind !== undefined && { MediaType: kind }),
      ...(quoted !== undefined && { ReplyToId: quoted.id }),
      ...(quoted?.text !== undefined && { ReplyToText: quoted.text }),
      MessageId: edits ?? key.id,
      ...(seconds !== undefined && { Timestamp: seconds }),
      ...(place.kind === "group" && { ChatId: chat }),
    },
    id: key.id,
    place,
    sender: {
      id: sender,
      ...(pushName !== undefined && pushName !== null && pushName !== "" && { name: pushName }),
    },
    attachments:
      kind === undefined
        ? []
        : [
            {
              kind,
              handle: JSON.stringify(file),
              ...(mimeType !== undefined && { mimeType }),
              ...(name !== undefined && { name }),
              ...(bytes !== undefined && { bytes }),
            },
          ],
    addressed:
      place.kind === "direct" ||
      mentioned.some((jid) => isMe(jid, me)) ||
      (quoted?.sender !== undefined && isMe(quoted.sender, me)),
    ...(edits !== undefined && { edits }),
  };
}

function isMe(jid: string, me: Me): boolean {
  const bare = bareJid(jid);
  return bare !== undefined && (bare === bareJid(me.id) || bare === bareJid(me.lid ?? ""));
}
