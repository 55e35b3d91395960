import { renderDiscord, renderTelegram, renderWebhook, renderWhatsApp } from "../../channels/index.js";
import type { ChannelName, Outgoing, Place } from "../../channels/types.js";
import type { ReplyPayload } from "../../core/types.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { openOutput } from "../output.js";
import type { renderCommand } from "./commands.js";
import { platformInput } from "./platform.js";

const writers: Readonly<Record<ChannelName, (answer: ReplyPayload, place: Place) => Outgoing[]>> = {
  telegram: (answer) => renderTelegram(answer),
  discord: renderDiscord,
  whatsapp: renderWhatsApp,
  webhook: (answer) => renderWebhook(answer),
};

/** Platforms whose replies name the chat. */
const namesChat: readonly ChannelName[] = ["discord", "whatsapp"];

export async function run({ values, words }: Arguments<typeof renderCommand>): Promise<number> {
  const { chat = "", "reply-to": replyToId } = values;
  const { channel, text } = await platformInput(...words);
  if (replyToId !== undefined && chat === "" && namesChat.includes(channel)) {
    throw usageError(`a reply on ${channel} names its chat: give --chat, too`);
  }
  const answer = { text, ...(replyToId === undefined ? {} : { replyToId }) };
  const requests = writers[channel](answer, { kind: "direct", chat }).map(({ native }) => native);
  await (await openOutput("-")).write(`${JSON.stringify(requests, null, 2)}\n`);
  return 0;
}
