import { setTimeout as pause } from "node:timers/promises";
import type { REST } from "@discordjs/rest";
import type { ChannelOptions, Choice } from "../types.js";
import { chatOf, checkNative, personOf } from "./normalise.js";
import type { Where } from "./where.js";
import type { DiscordInteraction } from "./wire.js";

const COMPONENT = 3;
const REPLY = 4;
const DEFERRED_UPDATE = 6;
const EPHEMERAL = 1 << 6;
/** Discord drops an interaction that is not answered within three seconds. */
const ANSWER_MS = 2000;

export interface ChoiceOptions extends Pick<ChannelOptions<unknown>, "choose" | "onUnread"> {
  rest: Pick<REST, "post">;
  where(channel: string): Promise<Where | undefined>;
}

/**
 * Handles a pressed button. Only the person who pressed it sees the reply; if the choice takes longer to store than Discord
 * waits, the button is acknowledged without one.
 */
export async function acceptChoice(data: unknown, options: ChoiceOptions): Promise<void> {
  const checked = checkNative("DiscordInteraction", data);
  if ("misfit" in checked) return options.onUnread(checked.misfit);
  const interaction = checked.value;
  if (interaction.type !== COMPONENT) return;
  const { id, token } = interaction;
  const stored = choiceOf(interaction, options).then((choice) =>
    choice === undefined ? undefined : options.choose(choice),
  );
  const text = await Promise.race([stored, pause(ANSWER_MS, undefined, { ref: false })]);
  const body =
    text === undefined
      ? { type: DEFERRED_UPDATE }
      : { type: REPLY, data: { content: text, flags: EPHEMERAL, allowed_mentions: { parse: [] } } };
  await options.rest.post(`/interactions/${id}/${token}/callback`, { body, auth: false });
  await stored;
}

async function choiceOf(
  { channel_id, guild_id, data, member, user = member?.user }: DiscordInteraction,
  { where }: ChoiceOptions,
): Promise<Choice | undefined> {
  const custom = data?.custom_id;
  if (channel_id === undefined || custom === undefined || user === undefined || user.bot === true)
    return undefined;
  const location = guild_id === undefined ? { kind: "direct" as const } : await where(channel_id);
  if (location === undefined) return undefined;
  return { place: chatOf({ channel_id }, location), sender: personOf(user), data: custom };
}
