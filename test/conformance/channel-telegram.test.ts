import { telegram } from "../../src/channels/telegram/index.js";
import type { Settings } from "../../src/channels/telegram/settings.js";
import { TelegramFake } from "../fakes/telegram/server.js";
import { describeChannel, type Platform } from "./channels.js";

async function openFake(): Promise<Platform<Settings>> {
  const fake = await TelegramFake.start();
  return {
    settings: { token: fake.token, apiRoot: fake.apiRoot },
    secrets: [fake.token, "AAE-strict_fake-of-the-Bot-API-000000"],
    me: { id: "987654321", name: "claw_bot" },
    person: { id: "123456789", name: "John" },
    direct: { kind: "direct", chat: "123456789" },
    nowhere: { kind: "group", chat: "-100555" },
    says: async (text, file) => {
      if (file === undefined) return String(fake.says(text));
      const photo = [{ file_id: fake.files.add(file), width: 1, height: 1, file_size: file.length }];
      return String(fake.says(undefined, { caption: text, photo }));
    },
    said: async () => fake.said(123456789),
    failNext: (fault) => fake.fail("sendMessage", fault === "lost" ? "drop" : { status: 429, retryAfter: 3 }),
    stop: () => fake.stop(),
    close: () => fake.close(),
  };
}

describeChannel(telegram, openFake);
