import { expect, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

const sessionKey = "agent:main:main";
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

test.each([
  [{ schema }, { ext: { output: { schema } } }, '{"city":"Oslo"}'],
  ["json", { ext: { output: "json" } }, '{"text":"Oslo"}'],
  [undefined, {}, "Oslo"],
])("chat.send states the form of the answer: %j", async (output, stored, text) => {
  const gateway = await testGateway([rpc]);
  const socket = await RpcSocket.open(gateway.host, gateway.chat);
  const { runId } = await socket.call("chat.send", { sessionKey, text: "Oslo", output });
  await socket.call("agent.wait", { runId });
  expect(await socket.call("chat.history", { sessionKey })).toMatchObject({
    messages: [
      { message: { role: "session" } },
      { message: { role: "user", ...stored } },
      { message: { role: "assistant", content: [{ type: "text", text }] } },
    ],
  });
});

test.each([["yaml"], [{ schema: "x" }], [{ schema, nmae: "x" }]])(
  "chat.send refuses the form %j",
  async (output) => {
    const gateway = await testGateway([rpc]);
    const socket = await RpcSocket.open(gateway.host, gateway.chat);
    const params = { sessionKey, text: "Oslo", output };
    expect(
      await socket.ask(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "chat.send", params })),
    ).toMatchObject({ error: { code: -32602 } });
  },
);
