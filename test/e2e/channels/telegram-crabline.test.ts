import { join } from "node:path";
import { startTelegramServer } from "@openclaw/crabline";
import { expect, onTestFinished, test } from "vitest";
import { telegram } from "../../../src/channels/telegram/index.js";
import { isObject } from "../../../src/core/json/value.js";
import { testDesk } from "../../fakes/desk.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Another's fake of the Bot API, with somebody who writes to the bot. */
async function crabline() {
  const sent: { chat: string; text: string }[] = [];
  let changed = () => {};
  const server = await startTelegramServer({
    recorderPath: join(temporaryFolder(), "telegram.jsonl"),
    onEvent: (event) => {
      const { path, body } = { body: undefined, ...event };
      if (!path.endsWith("/sendMessage") || !isObject(body)) return;
      sent.push({ chat: String(body["chat_id"]), text: String(body["text"]) });
      changed();
    },
  });
  onTestFinished(() => server.close());
  const { botToken, adminToken, endpoints } = server.manifest;
  const says = async (text: string) => {
    const response = await fetch(endpoints.adminInboundUrl, {
      method: "POST",
      headers: { "content-type": "application/json", "x-crabline-admin-token": adminToken },
      body: JSON.stringify({ chatId: "555", fromId: 555, text }),
    });
    expect(response.status).toBe(200);
  };
  const untilSent = (count: number) =>
    new Promise<void>((resolve) => {
      changed = () => {
        if (sent.length >= count) resolve();
      };
      changed();
    });
  const settings = { token: botToken, apiRoot: endpoints.apiRoot, direct: "open" } as const;
  return { sent, says, untilSent, settings };
}

test("a message in, an answer out; a restart in the middle loses nothing and repeats nothing", async () => {
  const { sent, says, untilSent, settings } = await crabline();
  const load = async () => telegram;
  const first = testDesk({ load }, { settings });
  await says("one");
  await untilSent(1);
  await first.stop();
  await says("two");
  const second = testDesk({ load }, { settings, home: first.home });
  await untilSent(2);
  await says("three");
  await untilSent(3);
  await second.stop();
  expect(sent).toEqual([
    { chat: "555", text: "one" },
    { chat: "555", text: "two" },
    { chat: "555", text: "three" },
  ]);
});
