import { defined } from "../../core/json/defined.js";
import type { PassedOn } from "../../core/shown/quote.js";
import type { Attachment } from "../types.js";
import { textOf } from "./spoilers.js";
import type { TelegramMessage } from "./wire.js";

type File = NonNullable<TelegramMessage["document"]>;

type Files = Pick<
  TelegramMessage,
  "photo" | "animation" | "audio" | "document" | "video" | "video_note" | "voice" | "sticker"
>;

/** A message's files. Photos come in several sizes; the largest is used. */
export function attachmentsOf(message: Files): Attachment[] {
  const { photo = [], animation, document, sticker } = message;
  const largest = photo.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  const files: [Attachment["kind"], File | undefined][] = [
    ["image", largest],
    // Telegram repeats an animation as a document, for older clients.
    ["video", animation],
    ["document", animation === undefined ? document : undefined],
    ["audio", message.audio],
    ["audio", message.voice],
    ["video", message.video],
    ["video", message.video_note],
    [sticker?.is_video ? "video" : sticker?.is_animated ? "document" : "image", sticker],
  ];
  return files.flatMap(([kind, file]) => {
    if (file === undefined) return [];
    const { file_id: handle, mime_type: mimeType, file_name: name, file_size: bytes } = file;
    return defined({ kind, handle, mimeType, name, bytes });
  });
}

/** Message kinds of which we can show only the kind. */
const shownByName = ["checklist", "game", "giveaway", "invoice", "paid_media", "story"];

/** A message's own text and its passed-on content. */
export interface Content {
  text?: string;
  passedOn: PassedOn[];
}

/** Empty for service messages such as "Ann joined". */
export function contentOf(message: TelegramMessage): Content {
  const words = textOf(message);
  // Forwarded text is not the sender's own; above all, it must not be read as their command.
  if (message.forward_origin !== undefined) {
    const shown = shownBy(message);
    return { passedOn: [{ kind: "forwarded", text: words ?? "" }, ...(words === undefined ? shown : [])] };
  }
  return words === undefined ? { passedOn: shownBy(message) } : { text: words, passedOn: [] };
}

/** The content of a message without text. */
function shownBy(message: TelegramMessage): PassedOn[] {
  const { sticker, venue, location, contact, poll, dice } = message;
  if (sticker !== undefined) return [{ kind: "sticker", text: sticker.emoji ?? "" }];
  // A venue message also has a `location`.
  if (venue !== undefined) {
    return [{ kind: "venue", text: `${venue.title}, ${venue.address}, at ${point(venue.location)}` }];
  }
  if (location !== undefined) return [{ kind: "location", text: point(location) }];
  if (contact !== undefined)
    return [{ kind: "contact", text: `${contact.first_name} ${contact.phone_number}` }];
  if (poll !== undefined) {
    return [{ kind: "poll", text: `${poll.question} ${poll.options.map(({ text }) => text).join(" / ")}` }];
  }
  if (dice !== undefined) return [{ kind: "dice", text: `${dice.emoji} ${dice.value}` }];
  const kind = shownByName.find((name) => Object.hasOwn(message, name));
  return kind === undefined ? [] : [{ kind, text: "" }];
}

function point({ latitude, longitude }: NonNullable<TelegramMessage["location"]>): string {
  return `${latitude}, ${longitude}`;
}
