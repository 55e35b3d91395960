import type { Chat, Media, Outgoing } from "../types.js";
import type { Refusal } from "./failure.js";
import { GENERAL_TOPIC } from "./normalise.js";
import type { TelegramOutput } from "./wire.js";

export type MediaKind = "photo" | "animation" | "video" | "audio" | "voice" | "document";

/** One message to send, with its fallbacks. */
export interface Request extends Outgoing<TelegramOutput> {
  place: Chat;
  file?: File;
}

/** An upload, or a URL. */
export interface File {
  kind: MediaKind;
  source: object | string;
}

/** The kinds that can share an album; undefined for those that are sent alone. */
export function familyOf(kind: MediaKind): "visual" | "document" | "audio" | undefined {
  switch (kind) {
    case "photo":
    case "video":
      return "visual";
    case "document":
    case "audio":
      return kind;
    case "animation":
    case "voice":
      return undefined;
  }
}

/** The general topic is 1 for a typing indicator, and has no number when sending. */
export function typingTarget({ chat, thread }: Chat): { chat_id: string; message_thread_id?: number } {
  return { chat_id: chat, ...(thread !== undefined && { message_thread_id: Number(thread) }) };
}

export function sendTarget(place: Chat): { chat_id: string; message_thread_id?: number } {
  return place.thread === GENERAL_TOPIC ? { chat_id: place.chat } : typingTarget(place);
}

/** The answer is sent even if the message it replies to was deleted. */
export function replyParameters({ reply_to_message_id: id }: TelegramOutput) {
  return id === undefined ? {} : { reply_parameters: { message_id: id, allow_sending_without_reply: true } };
}

export function textParameters({ text, parse_mode, disable_web_page_preview, reply_markup }: TelegramOutput) {
  return {
    text,
    ...(parse_mode !== undefined && { parse_mode }),
    ...(disable_web_page_preview !== undefined && {
      link_preview_options: { is_disabled: disable_web_page_preview },
    }),
    ...(reply_markup !== undefined && { reply_markup }),
  };
}

export function captionParameters({ text, parse_mode }: TelegramOutput) {
  return text === "" ? {} : { caption: text, ...(parse_mode !== undefined && { parse_mode }) };
}

/** Another version of a refused request that Telegram may accept. */
export function fallbackFor(request: Request, { description, parameters }: Refusal): Request | undefined {
  const { plain, ...rest } = request;
  const { place, mediaUrl, file } = rest;
  const moved = parameters.migrate_to_chat_id;
  // A group that became a supergroup has a new id.
  if (moved !== undefined && String(moved) !== place.chat) {
    return { ...request, place: { ...place, chat: String(moved) } };
  }
  if (plain !== undefined && isFormattingError(description)) return { ...rest, native: plain };
  if (file?.kind === "photo" && /PHOTO_|IMAGE_PROCESS_FAILED/.test(description)) {
    return { ...request, file: { ...file, kind: "document" } };
  }
  // Telegram could not download the URL: send it as text.
  if (typeof file?.source === "string" && mediaUrl !== undefined && /HTTP URL|web ?page/i.test(description)) {
    const { text, reply_to_message_id: id } = plain ?? request.native;
    const words = text === "" ? mediaUrl : `${text}\n${mediaUrl}`;
    return { place, native: { text: words, ...(id !== undefined && { reply_to_message_id: id }) } };
  }
  return undefined;
}

/** `Bad Request: can't parse entities: Can't find end tag corresponding to start tag "b"` */
export function isFormattingError(description: string): boolean {
  return description.includes("can't parse entities");
}

const kindOfType = new Map<string, MediaKind>([
  ["image/jpeg", "photo"],
  ["image/png", "photo"],
  ["image/webp", "photo"],
  ["image/gif", "animation"],
  ["video/mp4", "video"],
  ["audio/mpeg", "audio"],
  ["audio/mp4", "audio"],
  ["audio/ogg", "voice"],
]);

const typeOfExtension = new Map<string, string>([
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["png", "image/png"],
  ["webp", "image/webp"],
  ["gif", "image/gif"],
  ["mp4", "video/mp4"],
  ["mp3", "audio/mpeg"],
  ["m4a", "audio/mp4"],
  ["ogg", "audio/ogg"],
  ["oga", "audio/ogg"],
]);

/** Larger pictures can only be sent as documents. */
const PHOTO_BYTES = 10_000_000;

/** The kind that shows or plays a file in the chat; everything else is a document. */
export function kindOfMedia({ bytes, mimeType = "" }: Media): MediaKind {
  const kind = kindOfType.get(mimeType) ?? "document";
  return kind === "photo" && bytes.length > PHOTO_BYTES ? "document" : kind;
}

export function kindOfUrl(url: string): MediaKind {
  const extension = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? "";
  return kindOfType.get(typeOfExtension.get(extension) ?? "") ?? "document";
}
