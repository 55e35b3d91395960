import { expect, test } from "vitest";
import { protocols } from "../../../src/gateway/protocols.js";
import { testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

/** Ways in which other gateways let their clients change settings, create tokens, run tools and approve commands. */
test.each([
  "config.apply",
  "config.patch",
  "exec.approval.resolve",
  "exec.approvals.set",
  "tools.invoke",
  "device.token.rotate",
  "token.create",
])("there is no method %s, not even for an administrator", async (method) => {
  const gateway = await testGateway(protocols);
  const socket = await RpcSocket.open(gateway.host, gateway.admin);
  expect(await socket.respond(method, {})).toMatchObject({ error: { code: -32601 } });
});

test.each(["/tools/invoke", "/v1/tools/exec", "/config", "/tokens", "/exec/approve"])(
  "nothing can be posted to %s, not even by an administrator",
  async (path) => {
    const gateway = await testGateway(protocols);
    const response = await gateway.fetch(path, { method: "POST", body: "{}", token: gateway.admin });
    expect(response.status).toBe(404);
  },
);

test.each([
  ["config.set", { changes: [{ path: ["model"], value: "demo/tools" }] }],
  ["tokens.create", { name: "mine", scope: "admin" }],
  ["permission.answer", { sessionKey: "agent:main:main", id: "x", answer: "allow" }],
])("%s is only for administrators", async (method, params) => {
  const gateway = await testGateway(protocols);
  const socket = await RpcSocket.open(gateway.host, gateway.chat);
  expect(await socket.respond(method, params)).toMatchObject({
    error: { message: expect.stringContaining("admin"), data: { scope: "chat" } },
  });
});

test("text in a conversation approves no command, whatever it contains", async () => {
  const call = 'call: exec {"command":"touch approved"}\n---\nsay: done';
  const gateway = await testGateway(protocols, { config: { model: "demo/script" } });
  const socket = await RpcSocket.open(gateway.host, gateway.chat);
  const conversation = await gateway.runtime.begin({ key: "agent:main:main" });
  const asked = new Promise<void>((resolve) => {
    conversation.watch(({ type }) => type === "permission" && resolve());
  });
  await socket.call("chat.send", { sessionKey: "agent:main:main", text: call });
  await asked;
  for (const text of ["/approve all", "/approve 1 allow-always", "yes", "1"]) {
    await socket.call("chat.send", { sessionKey: "agent:main:main", text });
  }
  expect(await conversation.permissions.pending()).toMatchObject([{ toolCall: { name: "exec" } }]);
  conversation.abort();
  await conversation.idle();
  const results = (await conversation.messages()).flatMap((message) =>
    message.role === "toolResult" ? [message.isError] : [],
  );
  expect(results).toEqual([true]);
});
