import { expect, test } from "vitest";
import { testGateway } from "../../../test/fakes/gateway.js";
import type { WebhookRequest } from "../../channels/types.js";
import type { Gateway } from "../types.js";
import { channelWebhooks } from "./webhooks.js";

async function gatewayWith(requests: WebhookRequest[]) {
  return testGateway([
    (gateway: Gateway) => {
      gateway.channels = {
        status: async () => [],
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
