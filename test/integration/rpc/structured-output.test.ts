import { expect, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

const sessionKey = "agent:main:main";
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

test("chat.send states the form of the answer", async () => {
  const gateway = await testGateway([rpc]);
  const socket = await RpcSocket.open(gateway.host, gateway.chat);
  for (const output of [{ schema }, "json", undefined]) {
    const { runId } = await socket.call("chat.send", { sessionKey, text: "Oslo", output });
    await socket.call("agent.wait", { runId });
  }
  const answers = (text: string) => ({ message: { role: "assistant", content: [{ type: "text", text }] } });
  expect(await socket.call("chat.history", { sessionKey })).toMatchObject({
    messages: [
      { message: { role: "session" } },
      { message: { role: "user", ext: { output: { schema } } } },
      answers('{"city":"Oslo"}'),
      { message: { role: "user", ext: { output: "json" } } },
      answers('{"text":"Oslo"}'),
      { message: { role: "user" } },
      answers("Oslo"),
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
