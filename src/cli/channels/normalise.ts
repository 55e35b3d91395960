import {
  type Bot,
  type Normalised,
  normaliseDiscord,
  normaliseTelegram,
  normaliseWebhook,
  normaliseWhatsApp,
} from "../../channels/index.js";
import type { ChannelName } from "../../channels/types.js";
import { parseJson } from "../../core/json/parse.js";
import type { Arguments } from "../declaration.js";
import { openOutput } from "../output.js";
import { tell } from "../tell.js";
import type { normaliseCommand } from "./commands.js";
import { platformInput } from "./platform.js";

const readers: Readonly<Record<ChannelName, (native: unknown, bot: Bot) => Normalised>> = {
  telegram: normaliseTelegram,
  discord: normaliseDiscord,
  whatsapp: normaliseWhatsApp,
  webhook: (native) => normaliseWebhook(native),
};

export async function run({ values, words }: Arguments<typeof normaliseCommand>): Promise<number> {
  const { channel, text, name } = await platformInput(...words);
  const { bot = "" } = values;
  const read = readers[channel](parseJson(text), { id: bot });
  if ("why" in read) {
    tell(`${name} is not a message: ${read.why}`);
    return 1;
  }
  await (await openOutput("-")).write(`${JSON.stringify(read.message, null, 2)}\n`);
  return 0;
}
