import { defined } from "../../core/json/defined.js";
import { cleanName, type PassedOn } from "../../core/shown/quote.js";
import type { Attachment } from "../types.js";
import type { DiscordMessage } from "./wire.js";

type ContentFields = Pick<DiscordMessage, "content" | "attachments" | "embeds" | "sticker_items">;

/** A message's own text, with names in place of ids, and its passed-on content. */
export function contentOf(message: DiscordMessage): { text: string; passedOn: PassedOn[] } {
  const { mentions = [], message_snapshots = [], poll } = message;
  // Names are chosen by the people mentioned, and appear in someone else's text.
  const names = new Map(
    mentions.map(({ id, global_name, username }) => [id, cleanName(global_name ?? username)]),
  );
  const named = (text: string) =>
    text
      .replace(/<@!?(\d+)>/g, (mention, id: string) => (names.has(id) ? `@${names.get(id)}` : mention))
      .replace(/<a?(:\w+:)\d+>/g, "$1");
  const forwarded = message_snapshots.flatMap((snapshot) => {
    const { content } = snapshot.message;
    const shown = shownBy(snapshot.message);
    return content === "" && shown.length > 0 ? shown : [{ kind: "forwarded", text: content }, ...shown];
  });
  const question = poll === undefined ? [] : [{ kind: "poll", text: pollText(poll) }];
  return {
    text: named(message.content),
    passedOn: [...shownBy(message), ...question, ...forwarded].map(({ kind, text }) => ({
      kind,
      text: named(text),
    })),
  };
}

/** `Tea? yes / no` */
function pollText({ question, answers = [] }: NonNullable<DiscordMessage["poll"]>): string {
  const choices = answers.flatMap(({ poll_media: { text } }) => text ?? []).join(" / ");
  return [question.text ?? "", choices].filter((part) => part !== "").join(" ");
}

/** Stickers and embeds. Embeds are shown only without text, because Discord adds one for every link. */
function shownBy({ content, embeds = [], sticker_items = [] }: ContentFields): PassedOn[] {
  const shown = content === "" ? embeds.map(({ title, description, url }) => [title, description, url]) : [];
  return [
    ...sticker_items.map(({ name }) => ({ kind: "sticker", text: name })),
    ...shown.map((parts) => ({ kind: "embed", text: parts.filter((part) => part !== undefined).join("\n") })),
  ].filter(({ text }) => text !== "");
}

const kinds: Readonly<Record<string, Attachment["kind"]>> = {
  image: "image",
  audio: "audio",
  video: "video",
};

export function attachmentsOf({ attachments = [], message_snapshots = [] }: DiscordMessage): Attachment[] {
  const forwarded = message_snapshots.flatMap(({ message }) => message.attachments ?? []);
  return [...attachments, ...forwarded].map(({ url, filename, content_type, size }) => {
    const family = content_type?.split("/")[0] ?? "";
    const kind = (Object.hasOwn(kinds, family) ? kinds[family] : undefined) ?? "document";
    return defined({ kind, handle: url, mimeType: content_type, name: filename, bytes: size });
  });
}
