import { expect, test } from "vitest";
import { isObject } from "../../../src/core/json/value.js";
import { modelProtocols } from "../../../src/gateway/models/protocols.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

test("a stored response is not a session for other tokens; scope admin sees it", async () => {
  const gateway = await testGateway([rpc, modelProtocols]);
  const reply = await gateway.fetch("/v1/responses", {
    method: "POST",
    token: gateway.chat,
    body: JSON.stringify({ model: "demo/echo", input: "a needle" }),
  });
  const { id }: { id: string } = JSON.parse(await reply.text());
  const session = id.slice("resp_".length, "resp_".length + 26);

  for (const token of [gateway.read, gateway.chat]) {
    const socket = await RpcSocket.open(gateway.host, token);
    expect(await socket.call("sessions.list")).toMatchObject({ sessions: [] });
    expect(await socket.call("sessions.search", { query: "needle" })).toMatchObject({ hits: [] });
    expect(await socket.call("sessions.stats")).toMatchObject({ sessions: 0 });
    for (const method of ["sessions.get", "chat.history", "sessions.export"]) {
      const { error } = await socket.respond(method, { sessionKey: session });
      expect([method, isObject(error) ? error["code"] : error]).toEqual([method, -32002]);
    }
    socket.close();
  }

  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  expect(await admin.call("sessions.list")).toMatchObject({
    sessions: [{ id: session, agent: "responses-api", archived: true }],
  });
  expect(await admin.call("sessions.search", { query: "needle", role: "user" })).toMatchObject({
    hits: [{ session }],
  });
  admin.close();
});
