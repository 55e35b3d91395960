import { once } from "node:events";
import { expect, test } from "vitest";
import { testGateway } from "../../../test/fakes/gateway.js";
import { connectTo, untilClosed } from "../../../test/fakes/guarded-protocol.js";
import type { WebhookRequest } from "../../channels/types.js";
import type { Gateway } from "../types.js";
import { channelWebhooks } from "./webhooks.js";

async function gatewayWith(requests: WebhookRequest[]) {
  return testGateway([
    (gateway: Gateway) => {
      gateway.channels = {
        status: async () => [],
        has: (channel, account) => channel === "telegram" && account === "default",
        people: async () => ({ requests: [], approved: [] }),
        approve: async () => undefined,
        revoke: async () => false,
        reception: () => undefined,
        answering: () => undefined,
        webhook: async (channel, account, request) => {
          if (channel !== "telegram" || account !== "default") return undefined;
          requests.push(request);
          return { status: 202, json: { ok: true } };
        },
        close: async () => undefined,
      };
      return channelWebhooks(gateway);
    },
  ]);
}

test("a platform posts without a token, and its bytes arrive as they were", async () => {
  const requests: WebhookRequest[] = [];
  const gateway = await gatewayWith(requests);
  const bytes = new Uint8Array([0, 255, 10, 13]);
  const reply = await gateway.fetch("/channels/telegram/default", {
    method: "POST",
    token: null,
    headers: { "x-signature": "abc" },
    body: bytes,
  });
  expect([reply.status, await reply.json()]).toEqual([202, { ok: true }]);
  const [request] = requests;
  expect([...(request?.body ?? [])]).toEqual([0, 255, 10, 13]);
  expect(request?.headers["x-signature"]).toBe("abc");
});

test.each([
  ["POST", "/channels/telegram/other", 404],
  ["POST", "/channels/nothing/default", 404],
  ["GET", "/channels/telegram/default", 401],
  ["POST", "/channels/telegram", 401],
])("%s %s is refused with %i", async (method, path, status) => {
  const gateway = await gatewayWith([]);
  const reply = await gateway.fetch(path, { method, token: null });
  expect(reply.status).toBe(status);
});

test("who comes before the channels are there is told to come again", async () => {
  const gateway = await testGateway([channelWebhooks], {
    config: { channels: { telegram: { default: {} } } },
  });
  const reply = await gateway.fetch("/channels/telegram/default", {
    method: "POST",
    token: null,
    body: "{}",
  });
  expect(reply.status).toBe(503);
});

test("what is too large is refused", async () => {
  const requests: WebhookRequest[] = [];
  const gateway = await gatewayWith(requests);
  const reply = await gateway.fetch("/channels/telegram/default", {
    method: "POST",
    token: null,
    body: new Uint8Array(8 * 2 ** 20 + 1),
  });
  expect(reply.status).toBe(413);
  expect(requests).toEqual([]);
});

test("strangers' requests share a limit on the memory they hold, and what is over is free again", async () => {
  const requests: WebhookRequest[] = [];
  const gateway = await gatewayWith(requests);
  const post = [
    "POST /channels/telegram/default HTTP/1.1",
    `host: ${gateway.host}`,
    `content-length: ${8 * 2 ** 20}`,
    "",
    "",
  ].join("\r\n");
  // Eight that never end hold all there is.
  const waiting = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connectTo(gateway);
      socket.write(post);
      await new Promise((sent) => socket.write(Buffer.alloc(8 * 2 ** 20 - 1), sent));
      return socket;
    }),
  );
  const ask = async (path: string, body = new Uint8Array(100)) =>
    (await gateway.fetch(path, { method: "POST", token: null, body })).status;
  let status = 202;
  // Written is not read yet: until the last byte has arrived there is room.
  while (status === 202) status = await ask("/channels/telegram/default");
  expect(status).toBe(503);
  expect(await ask("/channels/nothing/default")).toBe(404);
  for (const socket of waiting) socket.destroy();
  while (status === 503) status = await ask("/channels/telegram/default");
  expect(status).toBe(202);
});

test("what is posted to an account that does not exist is refused before it is read", async () => {
  const gateway = await gatewayWith([]);
  const socket = connectTo(gateway);
  const reply = untilClosed(socket);
  // Not a byte of the body follows.
  socket.write(
    ["POST /channels/telegram/other HTTP/1.1", `host: ${gateway.host}`, "content-length: 1000", "", ""].join(
      "\r\n",
    ),
  );
  await once(socket, "data");
  socket.end();
  expect((await reply).status).toBe(404);
});

test("a call before the channels are connected is refused, and is no failure of the gateway", async () => {
  const gateway = await testGateway([channelWebhooks], {
    config: { channels: { webhook: { default: {} } } },
  });
  const reply = await gateway.fetch("/channels/webhook/default", { method: "POST", token: null, body: "{}" });
  expect(reply.status).toBe(503);
  await gateway.untilNoted('"status":503');
  expect(gateway.noted.filter((line) => line.includes("a request failed"))).toEqual([]);
});
