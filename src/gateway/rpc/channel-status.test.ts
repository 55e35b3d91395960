import { expect, test } from "vitest";
import { testGateway } from "../../../test/fakes/gateway.js";
import { RpcSocket } from "../../../test/fakes/rpc-socket.js";
import type { ChannelStatus } from "../types.js";
import { rpc } from "./protocol.js";

test("whoever may read sees how each account is doing", async () => {
  const status: ChannelStatus = {
    channel: "telegram",
    account: "default",
    state: "connected",
    me: { id: "42", name: "mybot" },
    ...{ waiting: 1, unsent: 2, unknown: 3, refused: 4, pairing: 5 },
  };
  const gateway = await testGateway([
    (parts) => {
      parts.channels = {
        status: async () => [status],
        has: () => false,
        people: async () => ({ requests: [], approved: [] }),
        approve: async () => undefined,
        revoke: async () => false,
        reception: () => undefined,
        answering: () => undefined,
        webhook: async () => undefined,
        close: async () => undefined,
      };
      return rpc(parts);
    },
  ]);
  const socket = await RpcSocket.open(gateway.host, gateway.read);
  expect(await socket.ask('{"jsonrpc":"2.0","id":1,"method":"channels.status"}')).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {
      channels: [
        {
          channel: "telegram",
          account: "default",
          state: "connected",
          me: { id: "42", name: "mybot" },
          waiting: 1,
          unsent: 2,
          unknown: 3,
          refused: 4,
          pairing: 5,
        },
      ],
    },
  });
});
