import type { ReplyPayload } from "../../core/types.js";
import { formatMarkdown } from "../../markdown/index.js";
import { mediaUrlsOf } from "../sent-files.js";
import type { ButtonChoice, Chat, Outgoing } from "../types.js";
import type { DiscordOutput } from "./wire.js";

const MESSAGE_UNITS = 2000;

/** Discord's numbers for a row of components, a button, and a button's grey style. */
const ROW = 1;
const BUTTON = 2;
const SECONDARY = 2;

/** Adds a row of buttons; Discord allows five. */
export function withButtons(
  { native, ...rest }: Outgoing<DiscordOutput>,
  choices: readonly ButtonChoice[],
): Outgoing<DiscordOutput> {
  const buttons = choices.map(
    ({ title, data }) => ({ type: BUTTON, style: SECONDARY, label: title, custom_id: data }) as const,
  );
  return { ...rest, native: { ...native, components: [{ type: ROW, components: buttons }] } };
}

/** Renders an answer as Discord messages. Files go with the last text; the first message is the reply, which needs its channel. */
export function outgoing(payload: ReplyPayload, place: Chat): Outgoing<DiscordOutput>[] {
  const { text = "", replyToId = "" } = payload;
  const urls = mediaUrlsOf(payload);
  const chunks = formatMarkdown(text, "discord", { units: MESSAGE_UNITS });
  const last = urls.length > 0 ? chunks.pop() : undefined;
  const parts = [
    ...chunks.map((chunk) => ({ content: chunk.text, mediaUrl: undefined })),
    ...urls.map((url, n) => ({ content: n === 0 ? (last?.text ?? "") : "", mediaUrl: url })),
  ];
  // An edit's id is the message's id and the time of the edit.
  const [, replyTo] = /^(\d{1,20})(?:\+.*)?$/.exec(replyToId) ?? [];
  const reference =
    replyTo === undefined
      ? {}
      : { message_reference: { message_id: replyTo, channel_id: place.thread ?? place.chat } };
  return parts.map(({ content, mediaUrl: url }, n) => ({
    native: { content, ...(n === 0 && reference) },
    ...(url !== undefined && { mediaUrl: url }),
  }));
}
