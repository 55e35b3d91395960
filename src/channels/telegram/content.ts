import type { PassedOn } from "../../core/shown/quote.js";
import type { Attachment } from "../types.js";
import { textOf } from "./spoilers.js";
import type { TelegramMessage } from "./wire.js";

type File = NonNullable<TelegramMessage["document"]>;

type Files = Pick<
  TelegramMessage,
  "photo" | "animation" | "audio" | "document" | "video" | "video_note" | "voice" | "sticker"
>;

/** The files of a message. A photo comes in several sizes, of which the largest is taken. */
export function attachmentsOf(message: Files): Attachment[] {
  const { photo = [], animation, document, sticker } = message;
  const largest = photo.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  const files: [Attachment["kind"], File | undefined][] = [
    ["image", largest],
    // An animation is given a second time, as a document, for those who do not know animations.
    ["video", animation],
    ["document", animation === undefined ? document : undefined],
    ["audio", message.audio],
    ["audio", message.voice],
    ["video", message.video],
    ["video", message.video_note],
    [sticker?.is_video ? "video" : sticker?.is_animated ? "document" : "image", sticker],
  ];
  return files.flatMap(([kind, file]) => (file === undefined ? [] : attachment(kind, file)));
}

function attachment(kind: Attachment["kind"], file: File): Attachment {
  return {
    kind,
    handle: file.file_id,
    ...(file.mime_type !== undefined && { mimeType: file.mime_type }),
    ...(file.file_name !== undefined && { name: file.file_name }),
    ...(file.file_size !== undefined && { bytes: file.file_size }),
  };
}

/** Kinds of messages that people send and that have nothing we could show but their kind. */
const shownByName = ["checklist", "game", "giveaway", "invoice", "paid_media", "story"];

/** What a message says: the sender's own words, and what else it shows. */
export interface Content {
  text?: string;
  passedOn: PassedOn[];
}

/** Neither words nor anything passed on for the service's own messages, such as "Ann joined". */
export function contentOf(message: TelegramMessage): Content {
  const words = textOf(message);
  // Whoever forwards something does not say it themselves: above all it is no command of theirs.
  if (message.forward_origin !== undefined) {
    const shown = shownBy(message);
    return { passedOn: [{ kind: "forwarded", text: words ?? "" }, ...(words === undefined ? shown : [])] };
  }
  return words === undefined ? { passedOn: shownBy(message) } : { text: words, passedOn: [] };
}

/** What a message shows that has no words. */
function shownBy(message: TelegramMessage): PassedOn[] {
  const { sticker, venue, location, contact, poll, dice } = message;
  if (sticker !== undefined) return [{ kind: "sticker", text: sticker.emoji ?? "" }];
  // A venue has its location beside it too.
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
