import { createServer } from "node:http";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { telegram } from "../../../src/channels/telegram/index.js";
import type { Transport } from "../../../src/channels/types.js";
import { TelegramFake } from "../../fakes/telegram/server.js";
import { openSession, type SessionOptions } from "../../support/channel-session.js";

let fake: TelegramFake;
let url: string;
let transport: Transport<unknown> | undefined;

/** What the gateway does: hands what is posted to the transport. */
beforeEach(async () => {
  fake = await TelegramFake.start();
  transport = undefined;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = "", headers } = request;
    const single = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value?.toString()]),
    );
    try {
      const body = Buffer.concat(parts);
      const reply = await transport?.webhook?.({ method, headers: single, body });
      response.writeHead(reply?.status ?? 404).end();
    } catch {
      response.writeHead(500).end();
    }
    fake.chats.changed();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${Object(server.address()).port}/channels/telegram/default`;
  return async () => {
    await fake.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});

async function connect(options: SessionOptions = {}) {
  const settings = { token: fake.token, apiRoot: fake.apiRoot, webhookUrl: url };
  const session = await openSession(telegram, settings, options);
  onTestFinished(() => session.transport.close());
  transport = session.transport;
  await session.until(() => session.states.at(-1)?.state === "connected");
  return session;
}

test("Telegram calls, and calls again when it could not be stored", async () => {
  let failures = 1;
  const store = async () => {
    if (failures-- > 0) throw new Error("the disk is full");
  };
  const session = await connect({ store });
  const id = String(fake.says("Hello"));
  await session.until(() => session.inbound.length === 2);
  await fake.webhook.idle();
  expect(session.inbound.map((inbound) => [inbound.id, inbound.message.Text])).toEqual([
    [id, "Hello"],
    [id, "Hello"],
  ]);
  expect([fake.webhook.answers, fake.updates.unconfirmed]).toEqual([[500, 200], []]);
});

test("what was said while it was away is told, and closing does not forget the webhook", async () => {
  const first = await connect();
  await first.transport.close();
  transport = undefined;
  fake.says("Anybody?");
  await fake.chats.until(() => fake.webhook.answers.includes(404));
  const second = await connect();
  await second.until(() => second.inbound.length === 1);
  expect(second.inbound[0]?.message.Text).toBe("Anybody?");
});

test("others than Telegram are turned away", async () => {
  const session = await connect();
  const update = JSON.stringify({ update_id: 1, message: { message_id: 1, from: { id: 1 }, text: "Evil" } });
  const post = async (headers: Record<string, string>, body = update, method = "POST") =>
    (await fetch(url, { method, headers, ...(method === "POST" && { body }) })).status;
  const name = "X-Telegram-Bot-Api-Secret-Token";
  const secret = String(fake.calls.find(({ method }) => method === "setWebhook")?.fields["secret_token"]);
  expect(await post({})).toBe(401);
  expect(await post({ [name]: "" })).toBe(401);
  expect(await post({ [name]: `${secret}x` })).toBe(401);
  expect(await post({ [name]: secret }, "", "GET")).toBe(405);
  expect(await post({ [name]: secret }, "{")).toBe(400);
  expect(await post({ [name]: secret }, update)).toBe(200);
  expect(session.inbound).toEqual([]);
  expect(secret).not.toContain("AAE");
});

test("who asks again instead of being called takes the webhook away", async () => {
  const first = await connect();
  await first.transport.close();
  const session = await openSession(telegram, { token: fake.token, apiRoot: fake.apiRoot });
  onTestFinished(() => session.transport.close());
  fake.says("Hello");
  await session.until(() => session.inbound.length === 1);
  expect([fake.webhook.url, session.transport.webhook]).toEqual(["", undefined]);
});

test("an address that Telegram does not take stops it", async () => {
  const settings = { token: fake.token, apiRoot: fake.apiRoot, webhookUrl: "http://example.com/" };
  const session = await openSession(telegram, settings);
  onTestFinished(() => session.transport.close());
  await session.until(() => session.states.at(-1)?.state === "stopped");
  expect(session.states.at(-1)).toEqual({
    state: "stopped",
    why: "Telegram replied: Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
  });
});
