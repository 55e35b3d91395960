import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { discord } from "../../../src/channels/discord/index.js";
import { testDesk as deskOn } from "../../fakes/desk.js";
import { startDiscordGateway } from "../../fakes/discord-gateway.js";

const SERVER = "3";
const CHANNEL = "30";
const DM = "77";
const ANN = { id: "42", username: "ann" };
const EVE = { id: "66", username: "eve" };
const SCRIPT = 'call: exec {"command":"touch canary"}\n---\nsay: done';
let fake: Awaited<ReturnType<typeof startDiscordGateway>>;

beforeEach(async () => {
  fake = await startDiscordGateway();
  fake.addChannel({ id: CHANNEL, type: 0, guild_id: SERVER });
  fake.addChannel({ id: DM, type: 1 });
  const { stop } = fake;
  onTestFinished(stop);
});

async function testDesk(): Promise<{ hasRun(): boolean }> {
  const settings = { ...fake.settings, direct: "open" as const, owners: [ANN.id], allowGroups: [CHANNEL] };
  const { home } = deskOn({ load: async () => discord }, { config: { model: "demo/script" }, settings });
  await fake.until(() => fake.identifies() === 1);
  fake.ready([SERVER]);
  fake.guild(SERVER);
  return { hasRun: () => existsSync(join(home, "agents", "main", "workspace", "canary")) };
}

const contents = () => fake.posted.map(({ body }) => body["content"]);

test("the owner allows a call with a button in a direct chat; the message then shows the outcome", async () => {
  const { hasRun } = await testDesk();
  fake.say({ id: "101", channel_id: DM, content: SCRIPT, author: ANN });
  await fake.until(() => fake.posted.length === 1);
  expect(contents()[0]).toMatch(/^🔐 May I run `exec`\?\n\n```\ntouch canary\n```\n\nExpires in 2 hours, /);
  fake.press(DM, "Allow once", ANN);
  await fake.until(() => contents().includes("done"));
  expect(hasRun()).toBe(true);
  await fake.until(() => String(contents()[0]).endsWith("✅ Allowed once."));
  expect(fake.posted[0]?.body["components"]).toEqual([]);
  expect(fake.interactions.answers).toEqual([
    { content: "Thanks, I've noted your answer.", flags: 64, allowed_mentions: { parse: [] } },
  ]);
});

test("in a server, only the owner's press counts", async () => {
  const { hasRun } = await testDesk();
  const mentions = [{ id: "555", username: "bot" }];
  fake.say({ id: "101", channel_id: CHANNEL, content: `<@555>\n${SCRIPT}`, author: EVE, mentions });
  await fake.until(() => fake.posted.length === 1);
  fake.press(CHANNEL, "Allow once", EVE);
  await fake.until(() => fake.interactions.answers.length === 1);
  expect(fake.interactions.answers).toMatchObject([{ content: "Only my owner can answer this." }]);
  expect(hasRun()).toBe(false);
  fake.press(CHANNEL, "Deny", ANN);
  await fake.until(() => String(contents()[0]).endsWith("🚫 Denied."));
  expect(hasRun()).toBe(false);
});
