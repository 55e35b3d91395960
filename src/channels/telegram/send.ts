import { isObject } from "../../core/json/value.js";
import { openMedia } from "../sent-files.js";
import { type ChannelOptions, type Outgoing, type Place, SendError } from "../types.js";
import type { Client } from "./client.js";
import { isRefusal } from "./failure.js";
import {
  captionParameters,
  isAboutMarks,
  kindOfAddress,
  kindOfMedia,
  type MediaKind,
  otherWay,
  type Request,
  replyingTo,
  sendingTo,
  textParameters,
} from "./requests.js";
import type { TelegramOutput } from "./wire.js";

/** More cannot be sent. */
export const UPLOAD_BYTES = 50_000_000;

export interface Sending extends Client {
  media: ChannelOptions<unknown>["media"];
}

/** Sends, and tries the other ways that are known where something was refused. Fulfilled with the message's number. */
export async function send(
  sending: Sending,
  place: Place,
  outgoing: Outgoing<TelegramOutput>,
): Promise<number> {
  const file = outgoing.mediaUrl === undefined ? undefined : await fileOf(sending, outgoing.mediaUrl);
  let request: Request = { ...outgoing, place, ...(file !== undefined && { file }) };
  while (true) {
    try {
      return await once(sending, request);
    } catch (error) {
      const other = isRefusal(error) ? otherWay(request, error) : undefined;
      if (other === undefined) throw error;
      request = other;
    }
  }
}

/** Replaces a text. That it stays the same is refused, and is no failure. */
export async function edit(
  sending: Sending,
  place: Place,
  id: string,
  { native, plain, mediaUrl }: Outgoing<TelegramOutput>,
): Promise<void> {
  if (mediaUrl !== undefined) throw new SendError("refused", "a message cannot be given a file afterwards");
  try {
    const message = { chat_id: place.chat, message_id: Number(id) };
    await sending.call("editMessageText", { ...message, ...textParameters(native) });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.description.includes("message is not modified")) return;
    if (plain === undefined || !isAboutMarks(error.description)) throw error;
    await edit(sending, place, id, { native: plain });
  }
}

/** Telegram fetches what has an address on the web; everything else we hand over. */
async function fileOf(sending: Sending, url: string): Promise<NonNullable<Request["file"]>> {
  if (/^https:/i.test(url)) return { kind: kindOfAddress(url), source: url };
  const opened = await openMedia(sending, url, UPLOAD_BYTES);
  return { kind: kindOfMedia(opened), source: sending.upload(opened.bytes, opened.name) };
}

const methods = {
  photo: "sendPhoto",
  animation: "sendAnimation",
  video: "sendVideo",
  audio: "sendAudio",
  voice: "sendVoice",
  document: "sendDocument",
} satisfies Record<MediaKind, string>;

async function once({ call }: Sending, { native, place, file }: Request): Promise<number> {
  const where = { ...sendingTo(place), ...replyingTo(native) };
  const taken =
    file === undefined
      ? await call("sendMessage", { ...where, ...textParameters(native) })
      : await call(methods[file.kind], { ...where, ...captionParameters(native), [file.kind]: file.source });
  if (isObject(taken) && typeof taken["message_id"] === "number") return taken["message_id"];
  throw new SendError("unknown", "Telegram does not say under which number it took the message");
}
