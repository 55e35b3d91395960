import { nativeChecks } from "../native-checks.js";
import { passedOnField } from "../passed-on.js";
import type { Bot, Normalised } from "../types.js";
import { type Album, albumIdOf } from "./album.js";
import { contentOf, integerOf } from "./content.js";
import * as generated from "./generated/validators.js";
import type { Ids } from "./identities.js";
import { bareJid, isGroup, isNumber, isPerson } from "./jid.js";
import type { WhatsAppMessage } from "./wire.js";

/** The bot's own ids: by phone number, and the one that hides it. */
export interface Me {
  id: string;
  lid?: string;
}

/** What is known of a message beside what it says. */
export interface Known {
  /** The ids of its sender. */
  ids?: Ids | undefined;
  /** The album that it is a part of. */
  album?: Album | undefined;
}

export const checkNative = nativeChecks(generated);

/** A message of WhatsApp, as Baileys gives it, as an OpenClaw message. The bot's id is `4915112345678@s.whatsapp.net`. */
export function normaliseWhatsApp(native: unknown, { id }: Bot): Normalised {
  const message = checkNative("WhatsAppMessage", native);
  if ("misfit" in message) return { why: `it is not a message of Baileys (${message.misfit})` };
  return normalise(message.value, { id });
}

/** The ids that a message tells of its sender, and whether it is between two. */
export function senderIn({ key }: Pick<WhatsAppMessage, "key">): { ids: string[]; isDirect: boolean } {
  const isDirect = !isGroup(bareJid(key.remoteJid) ?? "");
  const told = isDirect ? [key.remoteJid, key.remoteJidAlt] : [key.participant, key.participantAlt];
  const ids = told.flatMap((jid) => bareJid(jid ?? "") ?? []).filter(isPerson);
  // The one by phone number first: it is the same in every group.
  return { ids: [...new Set([...ids.filter(isNumber), ...ids])], isDirect };
}

/** A message of Baileys, or the reason why it is none: nobody said anything, or we did. */
export function normalise(message: WhatsAppMessage, me: Me, known: Known = {}): Normalised {
  if (message.key.fromMe === true) return { why: "the account wrote it itself" };
  const { key, pushName } = message;
  const from = bareJid(key.remoteJid) ?? "";
  // Neither a person nor a group: a status, a newsletter, a broadcast.
  if (!isGroup(from) && !isPerson(from)) return { why: "its chat is neither a person nor a group" };
  const [sender, ...otherIds] = known.ids ?? senderIn(message).ids;
  if (sender === undefined) return { why: "it does not name the person who wrote it" };
  if ([sender, ...otherIds].some((id) => isMe(id, me))) return { why: "the account wrote it itself" };
  const content = contentOf(message.message);
  if (content === undefined) {
    return {
      why: "it says nothing: it is a reaction, a message of the protocol, or of a kind that is not supported",
    };
  }
  const { text, passedOn, file, quoted = known.album?.quoted, edits } = content;
  const mentioned = [...content.mentioned, ...(known.album?.mentioned ?? [])];
  const album = edits === undefined ? albumIdOf(message.message) : undefined;
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
    sender: {
      id: sender,
      ...(otherIds.length > 0 && { otherIds }),
      ...(typeof pushName === "string" && pushName !== "" && { name: pushName }),
    },
    attachments: file === undefined ? [] : [file],
    addressed:
      kind === "direct" ||
      mentioned.some((jid) => isMe(jid, me)) ||
      (quoted?.sender !== undefined && isMe(quoted.sender, me)),
    ...(album !== undefined && { album }),
    ...(album !== undefined && known.album?.size !== undefined && { albumSize: known.album.size }),
    ...(edits !== undefined && { edits }),
  };
}

function isMe(jid: string, me: Me): boolean {
  const bare = bareJid(jid);
  return bare !== undefined && (bare === bareJid(me.id) || bare === bareJid(me.lid ?? ""));
}
