import { describe, expect, test } from "vitest";
import type { WebhookRequest } from "../../../src/channels/types.js";
import { channelWebhooks } from "../../../src/gateway/channels/webhooks.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import type { ChannelDesk, Gateway } from "../../../src/gateway/types.js";
import { type TestGatewayOptions, testGateway } from "../../fakes/gateway.js";
import { type StorePlace, sharedStores } from "../../support/shared-stores.js";

const PATH = "/channels/telegram/default";

/** A desk with one account, which this gateway may be connected as. */
function deskOf(received: WebhookRequest[], isOpen: boolean): ChannelDesk {
  return {
    status: async () => [],
    people: async () => ({ requests: [], approved: [] }),
    approve: async () => undefined,
    revoke: async () => false,
    has: () => true,
    isOpen: () => isOpen,
    reception: () => ({ channel: "telegram", account: "default" }),
    answering: () => undefined,
    webhook: async (_channel, _account, request) => {
      if (!isOpen) return { status: 503, json: { error: "service_unavailable" } };
      received.push(request);
      return { status: 202, json: { ok: true } };
    },
    close: async () => undefined,
  };
}

async function gatewayWith(desk: ChannelDesk, { home, open }: StorePlace) {
  const options: TestGatewayOptions = { home, store: await open(), links: {} };
  const webhooks = (gateway: Gateway) => {
    gateway.channels = desk;
    return channelWebhooks(gateway);
  };
  return testGateway([rpc, webhooks], options);
}

describe.each(sharedStores)("gateways that share %s", (_, places) => {
  test("a webhook that reaches another gateway is answered by the account's owner, byte for byte", async () => {
    const received: WebhookRequest[] = [];
    const place = await places();
    const owner = await gatewayWith(deskOf(received, true), place());
    const other = await gatewayWith(deskOf([], false), place());
    const lease = await owner.runtime.store.lease("channels/telegram/default");
    const body = new Uint8Array([0, 255, 10, 13]);
    const post = () =>
      other.fetch(PATH, { method: "POST", token: null, headers: { "x-signature": "abc" }, body });
    const reply = await post();
    expect([reply.status, await reply.json()]).toEqual([202, { ok: true }]);
    expect(received.map((request) => [request.headers["x-signature"], [...request.body]])).toEqual([
      ["abc", [0, 255, 10, 13]],
    ]);
    // Without an owner, the platform has to send it again.
    await lease?.release();
    expect((await post()).status).toBe(503);
  });
});
