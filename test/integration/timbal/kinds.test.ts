import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/value.js";
import type { TestGateway } from "../../fakes/gateway.js";
import type { TimbalClient } from "../../fakes/timbal-client.js";
import {
  ask,
  create,
  eachTestHasAHome,
  follow,
  OTHER,
  rested,
  say,
  serve,
  thread,
} from "../../fakes/timbal-server.js";

eachTestHasAHome();

function send(server: TestGateway, body: JsonObject) {
  return ask(server, `${thread()}/messages`, "POST", body);
}

/** What is stored amounts to what was seen live. */
async function expectStored(server: TestGateway, live: TimbalClient): Promise<void> {
  const late = await follow(server);
  await late.sync();
  expect(late.transcript()).toEqual(live.transcript());
}

test("who of several people has said something is told, with what else came with it", async () => {
  const server = await serve();
  await create(server);
  const client = await follow(server);
  await send(server, { content: "say: hi ann", metadata: { sender: "ann" } });
  await rested(client);
  const metadata = { sender: "bob", timestamp: "2025-01-15T14:30:00.000Z", attachments: [] };
  await send(server, { content: "say: hi bob", metadata });
  await rested(client, 2);
  expect(client.values()).toEqual([
    { type: "user", content: "say: hi ann", sender: "ann", metadata: { sender: "ann" } },
    { type: "agent", content: "hi ann", sender: "main" },
    { type: "user", content: "say: hi bob", sender: "bob", metadata },
    { type: "agent", content: "hi bob", sender: "main" },
  ]);
  await expectStored(server, client);
});

test("what another agent says is an agent's message, and is answered", async () => {
  const server = await serve();
  await create(server);
  const client = await follow(server);
  const replyTo = "01JHN5Y1J0A7Q3ZK5T9V2XWB4C";
  const metadata = { role: "agent", senderId: OTHER, replyTo };
  const { body } = await send(server, { content: "say: at your service", metadata });
  await rested(client);
  expect(client.values()).toEqual([
    { type: "agent_message", senderId: OTHER, payload: "say: at your service", replyTo, sender: OTHER },
    { type: "agent", content: "at your service", sender: "main" },
  ]);
  expect(client.receiver.messages()[0]?.i).toBe(body["messageId"]);
  await expectStored(server, client);
});

test("a helper that is done is an agent that completed", async () => {
  const server = await serve({
    model: "demo/script",
    agents: {
      main: { agents: ["scout"], permissions: [{ tool: "agent", action: "allow" }] },
      scout: { description: "Finds things out." },
    },
  });
  await create(server);
  const client = await follow(server);
  await say(server, 'call: agent {"agent":"scout","prompt":"say: found it"}\n---\nsay: thanks');
  await rested(client);
  expect(client.values().slice(1)).toEqual([
    {
      type: "tool_call",
      toolCallId: "call_1_0",
      name: "agent",
      arguments: { agent: "scout", prompt: "say: found it" },
      sender: "main",
    },
    { type: "tool_result", toolCallId: "call_1_0", name: "agent", status: "success", output: "found it" },
    {
      type: "agent_complete",
      agentId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      result: "found it",
      sender: "scout",
    },
    { type: "agent", content: "thanks", sender: "main" },
  ]);
  await expectStored(server, client);
});

test("a model that fails is an error", async () => {
  const server = await serve();
  await create(server);
  const client = await follow(server);
  await say(server, "fail: 400");
  await rested(client);
  expect(client.values()).toEqual([
    { type: "user", content: "fail: 400" },
    {
      type: "error",
      content: "HTTP 400: as the script says",
      code: "provider/http",
      recoverable: false,
      sender: "main",
    },
  ]);
  await expectStored(server, client);
});

test("an answer that breaks off is kept as far as it came, with an error after it", async () => {
  const server = await serve();
  await create(server);
  const client = await follow(server);
  await say(server, "say: half of\ncut");
  await rested(client);
  expect(client.values()).toEqual([
    { type: "user", content: "say: half of\ncut" },
    { type: "agent", content: "half of", sender: "main" },
    {
      type: "error",
      content: "the stream ended before its terminal event",
      code: "provider/failed",
      sender: "main",
    },
  ]);
  expect(client.receiver.messages().map(({ i }) => i)).toEqual(
    client.receiver
      .messages()
      .map(({ i }) => i)
      .toSorted(),
  );
  await expectStored(server, client);
});

test("what is said while the agent is busy is seen at once, under the id that was told", async () => {
  const server = await serve();
  await create(server);
  const client = await follow(server);
  await say(server, "say: wait\nstall");
  await client.until(() => JSON.stringify(client.values()).includes('"content":"wait"'));
  const { status, body } = await say(server, "say: next");
  expect(status).toBe(202);
  await client.until(() => client.receiver.messages().some(({ i }) => i === body["messageId"]));
  await expectStored(server, client);
  await ask(server, `${thread()}/cancel`, "POST");
  await rested(client, 2);
  expect(client.values()).toEqual([
    { type: "user", content: "say: wait\nstall" },
    { type: "agent", content: "wait", sender: "main" },
    { type: "user", content: "say: next" },
    { type: "agent", content: "next", sender: "main" },
  ]);
  await expectStored(server, client);
});

test("answers whose blocks are mixed keep one order live and stored", async () => {
  const server = await serve();
  await create(server);
  const client = await follow(server);
  await say(server, 'say: a\nthink: b\nsay: c\ncall: read {"file_path":"x"}\nsay: d\n---\nsay: e');
  await rested(client);
  expect(client.receiver.messages().map(({ value }) => value?.["type"])).toEqual([
    "user",
    "agent",
    "thinking",
    "agent",
    "tool_call",
    "agent",
    "tool_result",
    "agent",
  ]);
  await expectStored(server, client);
});
