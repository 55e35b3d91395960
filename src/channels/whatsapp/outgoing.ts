import type { ReplyPayload } from "../../core/types.js";
import { formatMarkdown } from "../../markdown/index.js";
import { mediaUrlsOf } from "../sent-files.js";
import type { Chat, Outgoing } from "../types.js";
import type { WhatsAppOutput } from "./wire.js";

/** WhatsApp allows 65,536, which is too long to read on a phone. */
const MESSAGE_UNITS = 4000;
const CAPTION_UNITS = 1024;

/**
 * Renders an answer as Baileys messages. With files, a text that fits becomes the first file's caption; a longer one is sent
 * before them. The first message is the reply, which needs its chat.
 */
export function outgoing(payload: ReplyPayload, { chat }: Chat): Outgoing<WhatsAppOutput>[] {
  const { text = "", replyToId = "" } = payload;
  const urls = mediaUrlsOf(payload);
  const captions = urls.length === 0 ? [] : formatMarkdown(text, "whatsapp", { units: CAPTION_UNITS });
  const [caption] = captions.length === 1 ? captions : [];
  const chunks = caption === undefined ? formatMarkdown(text, "whatsapp", { units: MESSAGE_UNITS }) : [];
  const parts = [
    ...chunks.map((chunk) => ({ text: chunk.text, url: undefined })),
    ...urls.map((url, n) => ({ text: n === 0 ? (caption?.text ?? "") : "", url })),
  ];
  const quoted = replyToId === "" ? {} : { quoted: { key: { remoteJid: chat, id: replyToId } } };
  return parts.map((part, n) => ({
    native: { text: part.text, ...(n === 0 && quoted) },
    ...(part.url !== undefined && { mediaUrl: part.url }),
  }));
}
