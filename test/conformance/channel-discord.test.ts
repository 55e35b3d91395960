import { discord } from "../../src/channels/discord/index.js";
import type { Settings } from "../../src/channels/discord/settings.js";
import { startDiscord } from "../fakes/discord.js";
import { describeChannel, type Platform } from "./channels.js";

const PERSON = "123456789012345678";

async function openDiscord(): Promise<Platform<Settings>> {
  const fake = await startDiscord();
  const { botToken, botUserId } = fake.manifest;
  const channelId = fake.directOf(PERSON);
  return {
    settings: { token: botToken, apiRoot: fake.apiRoot },
    secrets: [botToken],
    me: { id: botUserId, name: "crabline" },
    person: { id: PERSON, name: "John" },
    direct: { kind: "direct", chat: channelId },
    nowhere: { kind: "channel", chat: "999999999999999999" },
    says: (content) => fake.says({ channelId, senderId: PERSON, senderName: "John", content }),
    said: () => fake.said(channelId),
    failNext: (fault) => void fake.failNext(fault),
    stop: () => fake.stop(),
    close: () => fake.stop(),
  };
}

describeChannel(discord, openDiscord, {
  files: "crabline lets no person send a file; those of bots are in channel-discord-files.test.ts",
  lost: "a nonce lets what may have been taken be sent again, and it is taken once",
});
