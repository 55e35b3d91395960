import { expect, onTestFinished, test } from "vitest";
import { discord } from "../../../src/channels/discord/index.js";
import { telegram } from "../../../src/channels/telegram/index.js";
import { testDesk } from "../../fakes/desk.js";
import { startDiscord } from "../../fakes/discord.js";
import { TelegramFake } from "../../fakes/telegram/server.js";
import { openSession } from "../../support/channel-session.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const JOHN = 123456789;

test("Telegram: what has not the shape of a message is counted, told once, and stops nothing", async () => {
  const fake = await TelegramFake.start();
  onTestFinished(() => fake.close());
  const settings = { token: fake.token, apiRoot: fake.apiRoot, direct: "open" as const };
  const { metrics, noted } = testDesk({ load: async () => telegram }, { settings });
  const chat = { id: JOHN, type: "private" };
  for (const text of ["a secret", "another"])
    fake.updates.push("message", {
      message_id: 1,
      date: 5,
      chat,
      from: { id: JOHN },
      text,
      photo: [{ file_id: 7, width: 1, height: 1 }],
    });
  fake.says("Hello");
  await fake.chats.until(() => fake.said(JOHN).length === 1);
  expect(await metrics.text()).toContain(
    'dragoman_channel_unread_total{account="default",channel="telegram"} 2',
  );
  expect(noted.filter((line) => line.includes("unreadable message")).map((line) => JSON.parse(line))).toEqual(
    [
      {
        channel: "telegram",
        account: "default",
        why: "/message/photo/N/file_id: expected string",
        text: "dropped an unreadable message; more of the same kind are only counted in /metrics",
      },
    ],
  );
});

test("Discord: what has not the shape of a message is told", async () => {
  const fake = await startDiscord();
  onTestFinished(() => fake.stop());
  const folder = temporaryFolder();
  const settings = { token: fake.manifest.botToken, apiRoot: fake.apiRoot };
  const says = (content: string) =>
    fake.says({ channelId: fake.directOf("123456789012345678"), senderId: "123456789012345678", content });
  const first = await openSession(discord, settings, { folder });
  await first.until(() => first.states.at(-1)?.state === "connected");
  await says("one");
  await first.until(() => first.inbound.length === 1);
  await first.transport.close();

  fake.garble();
  await says("two");
  const second = await openSession(discord, settings, { folder });
  await second.until(() => second.unread.length > 0);
  expect(second.unread).toEqual(["/content: expected string"]);
  await second.transport.close();
});
