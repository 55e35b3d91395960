import { whatsapp } from "../../src/channels/whatsapp/index.js";
import type { Settings } from "../../src/channels/whatsapp/settings.js";
import { WhatsAppFake } from "../fakes/whatsapp.js";
import { describeChannel, type Platform } from "./channels.js";

const PERSON = "15551234567@s.whatsapp.net";

async function openFake(folder: string): Promise<Platform<Settings>> {
  const fake = await WhatsAppFake.start();
  fake.linkDevice(folder);
  return {
    settings: { socketUrl: fake.socketUrl },
    secrets: [fake.manifest.accessToken],
    me: { id: "15550000000@s.whatsapp.net" },
    person: { id: PERSON, name: "John" },
    direct: { kind: "direct", chat: PERSON },
    nowhere: { kind: "group", chat: "status@broadcast" },
    says: (text) => fake.says({ chatJid: PERSON, pushName: "John", text }),
    said: async () => fake.said(PERSON),
    failNext: () => fake.failNext("lost"),
    stop: () => fake.stop(),
    close: () => fake.close(),
  };
}

describeChannel(whatsapp, openFake, {
  files:
    "crabline's people send audio without words, and it takes no uploads: see e2e/channels/whatsapp.test.ts",
  edits: "WhatsApp shows that a message was edited, so that answers do not grow",
  "too-many": "WhatsApp does not say that it is too much; it locks people out",
});
