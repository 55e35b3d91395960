import type { ReplyPayload } from "../../core/types.js";
import { native } from "../checks.js";
import { type Chunk, formatMarkdown } from "../format/index.js";
import { mediaUrlsOf } from "../sent-files.js";
import type { Outgoing } from "../types.js";
import type { TelegramOutput } from "./wire.js";

/** In UTF-16 units, of what a reader sees. */
const MESSAGE_UNITS = 4096;
const CAPTION_UNITS = 1024;

/**
 * An answer as messages of the Bot API. With files, a text that fits is the caption of the first; a longer one goes before
 * them. The first message is the one that replies.
 */
export function outgoing(payload: ReplyPayload): Outgoing<TelegramOutput>[] {
  const { text = "", replyToId = "" } = payload;
  const urls = mediaUrlsOf(payload);
  const captions = urls.length === 0 ? [] : formatMarkdown(text, "telegram-html", { units: CAPTION_UNITS });
  const [caption] = captions.length === 1 ? captions : [];
  const chunks = caption === undefined ? formatMarkdown(text, "telegram-html", { units: MESSAGE_UNITS }) : [];
  // The id of an edit, `123+1005`, begins with that of the message.
  const [, replyTo] = /^([1-9]\d{0,14})(?:\+\d+)?$/.exec(replyToId) ?? [];
  const reply = replyTo === undefined ? {} : { reply_to_message_id: Number(replyTo) };
  return [
    ...chunks.map((chunk, n) => message(chunk, n === 0 ? reply : {})),
    ...urls.map((url, n) =>
      file(url, n === 0 ? caption : undefined, n === 0 && chunks.length === 0 ? reply : {}),
    ),
  ];
}

type Reply = Pick<TelegramOutput, "reply_to_message_id">;

function message(chunk: Chunk, reply: Reply): Outgoing<TelegramOutput> {
  // A preview makes Telegram fetch what a model wrote, and an address can carry secrets away.
  return outputs(chunk, { disable_web_page_preview: true, ...reply });
}

function file(mediaUrl: string, caption: Chunk | undefined, reply: Reply): Outgoing<TelegramOutput> {
  if (caption !== undefined) return { ...outputs(caption, reply), mediaUrl };
  return { native: native.parse("TelegramOutput", { text: "", ...reply }), mediaUrl };
}

function outputs({ text, plain }: Chunk, rest: Omit<TelegramOutput, "text">): Outgoing<TelegramOutput> {
  return {
    native: native.parse("TelegramOutput", { text, parse_mode: "HTML", ...rest }),
    plain: native.parse("TelegramOutput", { text: plain, ...rest }),
  };
}
