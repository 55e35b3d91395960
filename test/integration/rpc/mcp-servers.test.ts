import { expect, onTestFinished, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { wire } from "../../../src/protocol/checks.js";
import { testGateway } from "../../fakes/gateway.js";
import { FakeMcpHttp } from "../../fakes/mcp/fake-http-server.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

const sessionKey = "agent:main:main";

async function start() {
  const http = new FakeMcpHttp({
    versions: ["2026-07-28"],
    resources: { "note://1": { text: "one" } },
    tools: {
      book: {
        async run({ elicit }) {
          const properties = {
            seats: { type: "integer", title: "Seats" },
            window: { type: "boolean", default: true },
          };
          const answer = await elicit({
            message: "How many?",
            requestedSchema: { type: "object", properties, required: ["seats"] },
          });
          return { content: [{ type: "text", text: JSON.stringify(answer) }] };
        },
      },
    },
  });
  const url = await http.listen();
  onTestFinished(() => http.close());
  const gateway = await testGateway([rpc], {
    config: {
      model: "demo/script",
      agents: { main: { permissions: [{ tool: "travel/*", action: "allow" }] } },
      mcpServers: { travel: { url }, unset: { url, headers: { authorization: `Bearer \${NOT_SET}` } } },
    },
  });
  const socket = await RpcSocket.open(gateway.host, gateway.admin);
  await socket.call("sessions.create", { key: sessionKey });
  await socket.call("chat.subscribe", { sessionKey, events: ["permission"], asks: true });
  return socket;
}

test("a question of a server is asked and answered; a wrong value leaves it open", async () => {
  const socket = await start();
  const { runId } = await socket.call("chat.send", {
    sessionKey,
    text: "call: travel__book {}\n---\nsay: done",
  });
  const asked = await socket.until(({ event }) => event === "permission");
  expect(wire.mismatches("RpcEvent", asked)).toEqual([]);
  expect(asked).toMatchObject({
    data: {
      state: "asked",
      request: {
        toolCall: { name: "travel__book" },
        question: {
          server: "travel",
          message: "How many?",
          fields: [
            { name: "seats", title: "Seats", type: "integer", required: true },
            { name: "window", title: "window", type: "boolean", required: false, default: true },
          ],
        },
      },
    },
  });
  const { id } = (asked["data"] as { request: { id: string } }).request;
  const answer = (content: object) => ({ sessionKey, id, answer: "once", content });
  expect(await socket.respond("permission.answer", answer({ seats: 1.5 }))).toMatchObject({
    error: { code: -32602, message: expect.stringContaining("Seats: expected a whole number") },
  });
  expect(await socket.call("permission.answer", answer({ seats: 2 }))).toEqual({ answered: true });
  await socket.call("agent.wait", { runId });
  const { messages } = await socket.call("chat.history", { sessionKey });
  expect(messages).toContainEqual(
    expect.objectContaining({
      message: expect.objectContaining({
        role: "toolResult",
        content: [{ type: "text", text: '{"action":"accept","content":{"seats":2,"window":true}}' }],
      }),
    }),
  );
});

test("mcp.status names the servers that are missing, and a mention adds a resource", async () => {
  const socket = await start();
  const { runId } = await socket.call("chat.send", { sessionKey, text: "say: read @travel:note://1" });
  await socket.call("agent.wait", { runId });
  const { messages } = await socket.call("chat.history", { sessionKey });
  expect(messages).toContainEqual(
    expect.objectContaining({
      message: expect.objectContaining({
        role: "user",
        content: [
          { type: "text", text: "say: read @travel:note://1" },
          { type: "text", text: "[resource note://1]\none" },
        ],
      }),
    }),
  );
  expect(await socket.call("mcp.status", {})).toMatchObject({
    servers: [
      {
        name: "travel",
        kind: "http",
        state: "ready",
        era: "modern",
        server: "fake 1.2.3",
        tools: ["travel/book"],
      },
      { name: "unset", state: "failed", why: expect.stringContaining("NOT_SET is not set"), tools: [] },
    ],
  });
});
