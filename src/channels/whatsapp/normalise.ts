import { defined } from "../../core/json/defined.js";
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

/** What is known about a message beside its content. */
export interface Known {
  /** The sender's ids. */
  ids?: Ids | undefined;
  /** The album it belongs to. */
  album?: Album | undefined;
}

export const checkNative = nativeChecks(generated);

/** Reads a Baileys message. The bot's id is `4915112345678@s.whatsapp.net`. */
export function normaliseWhatsApp(native: unknown, { id }: Bot): Normalised {
  const message = checkNative("WhatsAppMessage", native);
  if ("misfit" in message) return { why: `it is not a Baileys message (${message.misfit})` };
  return normalise(message.value, { id });
}

/** The sender's ids in a message, and whether it is a direct chat. */
export function senderIn({ key }: Pick<WhatsAppMessage, "key">): { ids: string[]; isDirect: boolean } {
  const isDirect = !isGroup(bareJid(key.remoteJid) ?? "");
  const jids = isDirect ? [key.remoteJid, key.remoteJidAlt] : [key.participant, key.participantAlt];
  const ids = jids.flatMap((jid) => bareJid(jid ?? "") ?? []).filter(isPerson);
  // The phone number first: it is the same in every group.
  return { ids: [...new Set([...ids.filter(isNumber), ...ids])], isDirect };
}

/** Reads a message; it may have no content, or be our own. */
export function normalise(message: WhatsAppMessage, me: Me, known: Known = {}): Normalised {
  if (message.key.fromMe === true) return { why: "it was sent by the account itself" };
  const { key, pushName } = message;
  const from = bareJid(key.remoteJid) ?? "";
  // A status, a newsletter, a broadcast.
  if (!isGroup(from) && !isPerson(from)) return { why: "its chat is not a person or a group" };
  const [sender, ...otherIds] = known.ids ?? senderIn(message).ids;
  if (sender === undefined) return { why: "it does not name its sender" };
  if ([sender, ...otherIds].some((id) => isMe(id, me))) return { why: "it was sent by the account itself" };
  const content = contentOf(message.message);
  if (content === undefined) {
    return { why: "it has no content: it is a reaction, a protocol message or of an unsupported kind" };
  }
  const { text, passedOn, file, quoted = known.album?.quoted, edits } = content;
  const mentioned = [...content.mentioned, ...(known.album?.mentioned ?? [])];
  const album = edits === undefined ? albumIdOf(message.message) : undefined;
  const kind = isGroup(from) ? "group" : "direct";
  const chat = kind === "group" ? from : sender;
  return {
    message: defined({
      From: sender,
      To: bareJid(me.id) ?? me.id,
      ChatType: kind,
      Text: text,
      ...passedOnField(passedOn),
      MediaType: file?.kind,
      ReplyToId: quoted?.id,
      ReplyToText: quoted?.text,
      MessageId: edits ?? key.id,
      Timestamp: integerOf(message.messageTimestamp),
      ChatId: kind === "group" ? chat : undefined,
    }),
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
    ...defined({ album, albumSize: album === undefined ? undefined : known.album?.size, edits }),
  };
}

function isMe(jid: string, me: Me): boolean {
  const bare = bareJid(jid);
  return bare !== undefined && (bare === bareJid(me.id) || bare === bareJid(me.lid ?? ""));
}
