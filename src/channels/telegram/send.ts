import { isObject } from "../../core/json/value.js";
import { openMedia } from "../sent-files.js";
import { type ChannelOptions, type Chat, type Outgoing, SendError } from "../types.js";
import type { Client } from "./client.js";
import { isRefusal } from "./failure.js";
import { oneByOne } from "./outgoing.js";
import {
  captionParameters,
  type File,
  fallbackFor,
  familyOf,
  isFormattingError,
  kindOfMedia,
  kindOfUrl,
  type MediaKind,
  type Request,
  replyParameters,
  sendTarget,
  textParameters,
} from "./requests.js";
import type { TelegramOutput } from "./wire.js";

/** The Bot API's upload limit. */
export const UPLOAD_BYTES = 50_000_000;

export interface Sender extends Client {
  media: ChannelOptions<unknown>["media"];
}

/** Sends, with fallbacks if Telegram refuses. Resolves with the message id. */
export async function send(
  sending: Sender,
  place: Chat,
  outgoing: Outgoing<TelegramOutput>,
): Promise<number> {
  if (outgoing.mediaUrls !== undefined) return sendAlbum(sending, place, outgoing);
  const file =
    outgoing.mediaUrl === undefined ? undefined : await fileOf(sending, outgoing.mediaUrl, UPLOAD_BYTES);
  return sendWithFallbacks({ ...outgoing, place, ...(file !== undefined && { file }) }, (request) =>
    sendOne(sending, request),
  );
}

async function sendWithFallbacks(
  first: Request,
  send: (request: Request) => Promise<number>,
): Promise<number> {
  let request = first;
  while (true) {
    try {
      return await send(request);
    } catch (error) {
      const other = isRefusal(error) ? fallbackFor(request, error) : undefined;
      if (other === undefined) throw error;
      request = other;
    }
  }
}

/** Sends several files as one message. If Telegram refuses, `instead` has them one by one. */
async function sendAlbum(sending: Sender, place: Chat, outgoing: Outgoing<TelegramOutput>): Promise<number> {
  const { native, plain } = outgoing;
  try {
    const files = await albumOf(sending, outgoing.mediaUrls ?? []);
    const request = { native, ...(plain !== undefined && { plain }), place };
    return await sendWithFallbacks(request, (one) => sendMediaGroup(sending, one, files));
  } catch (error) {
    const isRefused = isRefusal(error)
      ? REFUSED.includes(error.error_code)
      : error instanceof SendError && error.fate === "refused";
    if (!isRefused) throw error;
    const instead = oneByOne(outgoing);
    throw new SendError("refused", "Telegram does not accept these files as one message", { instead });
  }
}

/** Bad request, or too large. */
const REFUSED: readonly number[] = [400, 413];

/** The upload limit applies to all of them together. */
async function albumOf(sending: Sender, urls: readonly string[]): Promise<File[]> {
  const files: File[] = [];
  let room = UPLOAD_BYTES;
  for (const url of urls) {
    const { bytes, ...file } = await fileOf(sending, url, room);
    room -= bytes;
    files.push(file);
  }
  const families = new Set(files.map(({ kind }) => familyOf(kind)));
  if (families.size > 1 || families.has(undefined))
    throw new SendError("refused", "the files are of different kinds");
  return files;
}

/** Replaces a text. Telegram refuses an unchanged text, which counts as success. */
export async function edit(
  sending: Sender,
  place: Chat,
  id: string,
  { native, plain, mediaUrl, mediaUrls }: Outgoing<TelegramOutput>,
): Promise<void> {
  if (mediaUrl !== undefined || mediaUrls !== undefined)
    throw new SendError("refused", "a file cannot be added to a sent message");
  try {
    const message = { chat_id: place.chat, message_id: Number(id) };
    await sending.call("editMessageText", { ...message, ...textParameters(native) });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.description.includes("message is not modified")) return;
    if (plain === undefined || !isFormattingError(error.description)) throw error;
    await edit(sending, place, id, { native: plain });
  }
}

/** Telegram downloads https URLs itself; other files are uploaded. */
async function fileOf(sending: Sender, url: string, mostBytes: number): Promise<File & { bytes: number }> {
  if (/^https:/i.test(url)) return { kind: kindOfUrl(url), source: url, bytes: 0 };
  const { bytes, name, ...rest } = await openMedia(sending, url, mostBytes);
  return { kind: kindOfMedia({ bytes, ...rest }), source: sending.upload(bytes, name), bytes: bytes.length };
}

const methods = {
  photo: "sendPhoto",
  animation: "sendAnimation",
  video: "sendVideo",
  audio: "sendAudio",
  voice: "sendVoice",
  document: "sendDocument",
} satisfies Record<MediaKind, string>;

async function sendOne({ call }: Sender, { native, place, file }: Request): Promise<number> {
  const where = { ...sendTarget(place), ...replyParameters(native) };
  const sent =
    file === undefined
      ? await call("sendMessage", { ...where, ...textParameters(native) })
      : await call(methods[file.kind], { ...where, ...captionParameters(native), [file.kind]: file.source });
  return messageIdOf(sent);
}

async function sendMediaGroup(
  { call }: Sender,
  { native, place }: Request,
  files: readonly File[],
): Promise<number> {
  const media = files.map(({ kind, source }, n) => ({
    type: kind,
    media: source,
    ...(n === 0 && captionParameters(native)),
  }));
  const sent = await call("sendMediaGroup", { ...sendTarget(place), ...replyParameters(native), media });
  return messageIdOf(Array.isArray(sent) ? sent[0] : undefined);
}

function messageIdOf(sent: unknown): number {
  if (isObject(sent) && typeof sent["message_id"] === "number") return sent["message_id"];
  throw new SendError("unknown", "unexpected reply from Telegram: no message id");
}
