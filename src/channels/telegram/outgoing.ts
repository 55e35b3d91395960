import type { ReplyPayload } from "../../core/types.js";
import { type Chunk, formatMarkdown } from "../../markdown/index.js";
import { mediaUrlsOf } from "../sent-files.js";
import type { ButtonChoice, Outgoing } from "../types.js";
import { familyOf, kindOfUrl } from "./requests.js";
import type { TelegramOutput } from "./wire.js";

/** In UTF-16 units of visible text. */
const MESSAGE_UNITS = 4096;
const CAPTION_UNITS = 1024;
const MOST_IN_ALBUM = 10;

/**
 * Renders an answer as Bot API messages. With files, a text that fits becomes the first file's caption; a longer one is sent
 * before them. Files that Telegram shows together are one request. The first message is the reply. `plain` is the same
 * without formatting, in case Telegram rejects the formatting.
 *
 * @example
 * outgoing({ text: "**Hi**" })[0].native; // { text: "<b>Hi</b>", parse_mode: "HTML", disable_web_page_preview: true }
 */
export function outgoing(payload: ReplyPayload): Outgoing<TelegramOutput>[] {
  const { text = "", replyToId = "" } = payload;
  const urls = mediaUrlsOf(payload);
  const captions = urls.length === 0 ? [] : formatMarkdown(text, "telegram-html", { units: CAPTION_UNITS });
  const [caption] = captions.length === 1 ? captions : [];
  const chunks = caption === undefined ? formatMarkdown(text, "telegram-html", { units: MESSAGE_UNITS }) : [];
  // An edit's id, `123+1005`, starts with the message's id.
  const [, replyTo] = /^([1-9]\d{0,14})(?:\+\d+)?$/.exec(replyToId) ?? [];
  const reply = replyTo === undefined ? {} : { reply_to_message_id: Number(replyTo) };
  return [
    ...chunks.map((chunk, n) => message(chunk, n === 0 ? reply : {})),
    ...albums(urls).map((files, n) =>
      withFiles(files, n === 0 ? caption : undefined, n === 0 && chunks.length === 0 ? reply : {}),
    ),
  ];
}

/** Adds buttons, one below the other: their titles are too long for a row on a phone. */
export function withButtons(
  { native, plain, ...rest }: Outgoing<TelegramOutput>,
  choices: readonly ButtonChoice[],
): Outgoing<TelegramOutput> {
  const reply_markup = {
    inline_keyboard: choices.map(({ title, data }) => [{ text: title, callback_data: data }]),
  };
  return {
    ...rest,
    native: { ...native, reply_markup },
    ...(plain === undefined ? {} : { plain: { ...plain, reply_markup } }),
  };
}

/** The same files as separate messages. */
export function oneByOne({
  native,
  plain,
  mediaUrls = [],
}: Outgoing<TelegramOutput>): Outgoing<TelegramOutput>[] {
  return mediaUrls.map((mediaUrl, n) => {
    if (n > 0) return { native: { text: "" }, mediaUrl };
    return { native, ...(plain !== undefined && { plain }), mediaUrl };
  });
}

/** Groups files that Telegram can show as one message: photos and videos, documents, or audio. */
function albums(urls: readonly string[]): string[][] {
  const families = new Map<string, string[]>();
  for (const url of urls) {
    const family = familyOf(kindOfUrl(url)) ?? url;
    families.set(family, [...(families.get(family) ?? []), url]);
  }
  return [...families.values()].flatMap((files) => {
    const groups: string[][] = [];
    for (let n = 0; n < files.length; n += MOST_IN_ALBUM) groups.push(files.slice(n, n + MOST_IN_ALBUM));
    return groups;
  });
}

type Reply = Pick<TelegramOutput, "reply_to_message_id">;

function message(chunk: Chunk, reply: Reply): Outgoing<TelegramOutput> {
  // For a preview, Telegram would request a URL the model wrote, which could leak secrets.
  return outputs(chunk, { disable_web_page_preview: true, ...reply });
}

function withFiles(
  urls: readonly string[],
  caption: Chunk | undefined,
  reply: Reply,
): Outgoing<TelegramOutput> {
  const [mediaUrl = "", ...rest] = urls;
  const media = rest.length === 0 ? { mediaUrl } : { mediaUrls: urls };
  if (caption !== undefined) return { ...outputs(caption, reply), ...media };
  return { native: { text: "", ...reply }, ...media };
}

function outputs({ text, plain }: Chunk, rest: Omit<TelegramOutput, "text">): Outgoing<TelegramOutput> {
  return {
    native: { text, parse_mode: "HTML", ...rest },
    plain: { text: plain, ...rest },
  };
}
