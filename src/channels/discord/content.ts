import { cleanName } from "../quote.js";
import type { Attachment } from "../types.js";
import type { DiscordMessage } from "./wire.js";

type Said = Pick<DiscordMessage, "content" | "attachments" | "embeds" | "sticker_items">;

/** What a message says, with names in place of ids; empty where it says nothing. */
export function textOf(message: DiscordMessage): string {
  const { mentions = [], message_snapshots = [], poll } = message;
  // Names are chosen by those who are mentioned, and stand in the words of somebody else.
  const names = new Map(
    mentions.map(({ id, global_name, username }) => [id, cleanName(global_name ?? username)]),
  );
  const forwarded = message_snapshots.map((snapshot) => `[forwarded]\n${wordsOf(snapshot.message)}`);
  const words = [wordsOf(message), pollText(poll), ...forwarded].filter((part) => part !== "").join("\n");
  return words
    .replace(/<@!?(\d+)>/g, (mention, id: string) => (names.has(id) ? `@${names.get(id)}` : mention))
    .replace(/<a?(:\w+:)\d+>/g, "$1");
}

/** `[poll Tea? yes / no]` */
function pollText(poll: DiscordMessage["poll"]): string {
  if (poll === undefined) return "";
  const choices = (poll.answers ?? []).flatMap(({ poll_media: { text } }) => text ?? []).join(" / ");
  return `[poll ${[poll.question.text, choices].filter((part) => part !== undefined && part !== "").join(" ")}]`;
}

/** Embeds are shown only where there are no words: Discord makes one of every link. */
function wordsOf({ content, embeds = [], sticker_items = [] }: Said): string {
  const stickers = sticker_items.map(({ name }) => `[sticker ${name}]`);
  const shown = content === "" ? embeds.map(({ title, description, url }) => [title, description, url]) : [];
  const embedded = shown.map((parts) => parts.filter((part) => part !== undefined).join("\n"));
  return [content, ...stickers, ...embedded].filter((part) => part !== "").join("\n");
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
    return {
      kind: (Object.hasOwn(kinds, family) ? kinds[family] : undefined) ?? "document",
      handle: url,
      ...(content_type !== undefined && { mimeType: content_type }),
      ...(filename !== undefined && { name: filename }),
      ...(size !== undefined && { bytes: size }),
    };
  });
}
