import { expect, test } from "vitest";
import { mcpProtocol } from "../../../src/gateway/mcp/protocol.js";
import type { Conversation } from "../../../src/runtime/conversation.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { callMcpTool, modern, postMcp } from "../../fakes/mcp-http.js";
import { SteppedModel } from "../../fakes/stepped-model.js";

interface Stepped {
  gateway: TestGateway;
  model: SteppedModel;
  /** How the only run ends. */
  ended: Promise<unknown>;
}

/** A gateway whose model answers step by step, at times that the test sets. */
async function stepped(): Promise<Stepped> {
  const model = new SteppedModel();
  let now = 1_768_469_400_000;
  const gateway = await testGateway([mcpProtocol], {
    config: model.config,
    models: { fetch: model.fetch },
    now: () => {
      now += 600;
      return now;
    },
  });
  const ended = new Promise<unknown>((resolve) => {
    gateway.runtime.watch((conversation: Conversation) =>
      conversation.watch((event) => {
        if (event.type === "run_end") resolve(event.outcome);
      }),
    );
  });
  return { gateway, model, ended };
}

function legacyCall(args: object, id: number) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "ask_agent", arguments: args } };
}

test("an answer arrives as a stream, with the end of the text so far as progress", async () => {
  const { gateway, model } = await stepped();
  const { body, headers } = modern("tools/call", {
    name: "ask_agent",
    arguments: { message: "Hi" },
    _meta: { progressToken: "p" },
  });
  const reply = postMcp(gateway, body, { headers, token: gateway.chat });
  await model.isAsked(1);
  model.send({ text: "Hello, " });
  model.send({ text: "Ann." });
  model.send({ stop: "stop" });
  const { type, messages, answer } = await reply;
  expect(type).toBe("text/event-stream");
  const progress = messages.slice(0, -1);
  expect(progress.length).toBeGreaterThan(0);
  expect(progress[0]).toEqual({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: "p", progress: 1, message: "Hello, " },
  });
  expect(answer).toMatchObject({
    id: 1,
    result: {
      resultType: "complete",
      structuredContent: { answer: "Hello, Ann.", session: expect.any(String) },
    },
  });
});

test("a session is continued by its id, and refused while it is busy", async () => {
  const { gateway, model } = await stepped();
  const first = callMcpTool(gateway, "ask_agent", { message: "My name is Ada." });
  await model.isAsked(1);
  model.send({ text: "Hello.", stop: "stop" });
  const { session } = (await first)["structuredContent"] as { session: string };
  const second = callMcpTool(gateway, "ask_agent", { message: "Who am I?", session });
  await model.isAsked(2);
  expect(JSON.stringify(model.asked[1])).toContain("My name is Ada.");
  expect(await callMcpTool(gateway, "ask_agent", { message: "And now?", session })).toMatchObject({
    isError: true,
    content: [{ text: "the session is answering another message; ask again when it has finished" }],
  });
  model.send({ text: "Ada.", stop: "stop" });
  expect(await second).toMatchObject({ structuredContent: { answer: "Ada.", session } });
});

test("in the modern era, closing the connection stops the agent", async () => {
  const { gateway, model, ended } = await stepped();
  const client = new AbortController();
  const { body, headers } = modern("tools/call", { name: "ask_agent", arguments: { message: "Hi" } });
  const reply = postMcp(gateway, body, { headers, signal: client.signal });
  await model.isAsked(1);
  client.abort();
  await expect(reply).rejects.toThrow();
  expect(await ended).toBe("aborted");
});

test("in the legacy era, a notification stops the agent, and closing the connection does not", async () => {
  const { gateway, model, ended } = await stepped();
  const client = new AbortController();
  const left = postMcp(gateway, legacyCall({ message: "One" }, 1), { signal: client.signal });
  await model.isAsked(1);
  client.abort();
  await expect(left).rejects.toThrow();
  model.send({ text: "Done.", stop: "stop" });
  expect(await ended).toBe("done");

  const reply = postMcp(gateway, legacyCall({ message: "Two" }, 2));
  await model.isAsked(2);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  expect((await postMcp(gateway, cancelled)).status).toBe(202);
  expect((await reply).answer).toMatchObject({ result: { isError: true } });
});

test("another token's request with the same id is not cancelled", async () => {
  const { gateway, model } = await stepped();
  const reply = postMcp(gateway, legacyCall({ message: "One" }, 1), { token: gateway.chat });
  await model.isAsked(1);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  await postMcp(gateway, cancelled, { token: gateway.read });
  model.send({ text: "Still here.", stop: "stop" });
  expect((await reply).answer).toMatchObject({ result: { structuredContent: { answer: "Still here." } } });
});

test.each([
  [{ message: "Hi", agent: "nope" }, 'there is no agent "nope"'],
  [{ message: "Hi", session: "agent:main:x:dm:1" }, "there is no session"],
  [{ message: "" }, "message"],
])("%j fails with words for the model", async (args, expected) => {
  const { gateway } = await stepped();
  const result = await callMcpTool(gateway, "ask_agent", args);
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(expected) }] });
});

test("a token for one agent asks only that agent", async () => {
  const gateway = await testGateway([mcpProtocol], { config: { agents: { other: { model: "demo/echo" } } } });
  const token = gateway.tokens.issue("other", "chat", { agents: ["other"] });
  expect(await callMcpTool(gateway, "ask_agent", { message: "Hi" }, { token })).toMatchObject({
    isError: true,
  });
  expect(await callMcpTool(gateway, "ask_agent", { message: "Hi", agent: "other" }, { token })).toMatchObject(
    {
      structuredContent: { answer: expect.stringContaining("Hi") },
    },
  );
});
