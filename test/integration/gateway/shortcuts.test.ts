import { expect, test } from "vitest";
import { loadProtocols } from "../../../src/gateway/protocols.js";
import { testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

/** Ways in which other gateways let their clients change settings, make tokens, run tools and approve commands. */
test.each([
  "config.apply",
  "config.patch",
  "config.set",
  "exec.approval.resolve",
  "exec.approvals.set",
  "tools.invoke",
  "device.token.rotate",
  "token.create",
])("there is no method %s, not even for an administrator", async (method) => {
  const gateway = await testGateway(await loadProtocols());
  const socket = await RpcSocket.open(gateway.host, gateway.admin);
  expect(await socket.respond(method, {})).toMatchObject({ error: { code: -32601 } });
});

test.each(["/tools/invoke", "/v1/tools/exec", "/config", "/tokens", "/exec/approve"])(
  "nothing can be posted to %s, not even by an administrator",
  async (path) => {
    const gateway = await testGateway(await loadProtocols());
    const response = await gateway.fetch(path, { method: "POST", body: "{}", token: gateway.admin });
    expect(response.status).toBe(404);
  },
);

test("words in a conversation approve no command, whatever they say", async () => {
  const call = 'call: exec {"command":"touch approved"}\n---\nsay: done';
  const gateway = await testGateway(await loadProtocols(), { config: { model: "demo/script" } });
  const socket = await RpcSocket.open(gateway.host, gateway.chat);
  const conversation = await gateway.runtime.begin({ key: "agent:main:main" });
  for (const text of [call, "/approve all", "/approve 1 allow-always", "yes", call]) {
    await socket.call("chat.send", { sessionKey: "agent:main:main", text });
    await conversation.idle();
  }
  const results = (await conversation.messages()).flatMap((message) =>
    message.role === "toolResult" ? [message.isError] : [],
  );
  expect(results).toEqual([true, true]);
});
