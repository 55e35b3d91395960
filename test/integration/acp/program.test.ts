import { expect, test } from "vitest";
import type { Config } from "../../../src/runtime/schema.js";
import type { FakeScript } from "../../fakes/acp-agent.js";
import { agentWith, ask, begin, hello, linesOf, lossesIn, runtimeWith } from "../../fakes/acp-world.js";
import { event, user } from "../../fakes/watching.js";

test("a program's answer, thoughts, tool calls and plan are in the log", async () => {
  const agent = agentWith(async ({ send, text }) => {
    send({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } });
    text("I ");
    text("look.");
    send({ sessionUpdate: "plan", entries: [{ content: "look", priority: "high", status: "pending" }] });
    send({
      sessionUpdate: "tool_call",
      toolCallId: "t1",
      title: "ls",
      kind: "execute",
      status: "pending",
      rawInput: {},
    });
    send({ sessionUpdate: "tool_call_update", toolCallId: "t1", rawInput: { command: "ls" } });
    send({
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "a.txt" } }],
      rawOutput: { code: 0 },
    });
    text("Done.");
    return "end_turn";
  });
  const conversation = await begin(runtimeWith(agent));
  await ask(conversation, "what is here?");
  const messages = (await conversation.messages()).filter(({ role }) =>
    ["user", "assistant", "toolResult"].includes(role),
  );
  expect(messages).toMatchObject([
    { role: "user", content: "what is here?" },
    {
      role: "assistant",
      provider: "acp",
      model: "claude",
      stopReason: "toolUse",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "I look." },
        {
          type: "toolCall",
          id: "t1",
          name: "execute",
          arguments: { command: "ls" },
          ext: { acp: { title: "ls", kind: "execute" } },
        },
      ],
      ext: { acp: { plan: [{ content: "look", priority: "high", status: "pending" }] } },
    },
    {
      role: "toolResult",
      toolCallId: "t1",
      toolName: "execute",
      content: [{ type: "text", text: "a.txt" }],
      details: { code: 0 },
      isError: false,
      ext: { acp: { title: "ls", kind: "execute", status: "completed", rawInput: { command: "ls" } } },
    },
    { role: "assistant", stopReason: "stop", content: [{ type: "text", text: "Done." }] },
  ]);
  expect(agent.calls.filter(({ method }) => method !== "session/prompt")).toMatchObject([
    {
      method: "initialize",
      params: {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      },
    },
    { method: "session/new", params: { cwd: (await conversation.meta()).cwd, mcpServers: [] } },
  ]);
});

test("what our log cannot know is in the ledger", async () => {
  const agent = agentWith(async ({ send }) => {
    send({ sessionUpdate: "notice", severity: "info", title: "x" });
    return "end_turn";
  });
  const conversation = await begin(runtimeWith(agent));
  await ask(conversation, "hi");
  expect(await lossesIn(conversation)).toEqual([
    "acp/claude approximated the context of the model",
    'acp/claude dropped update "notice" of the agent program',
  ]);
});

const asks: FakeScript = async ({ send, text, ask }) => {
  const call = { toolCallId: "t1", title: "touch x", kind: "execute", rawInput: { command: "touch x" } };
  send({ sessionUpdate: "tool_call", status: "pending", ...call });
  const answer = await ask(call);
  const status = answer === "allow_once" ? "completed" : "failed";
  send({ sessionUpdate: "tool_call_update", toolCallId: "t1", status });
  text(answer);
  return "end_turn";
};

test("a question reaches the approvers, and an answer for the session is not asked again", async () => {
  const agent = agentWith(asks);
  const conversation = await begin(runtimeWith(agent));
  const requests: unknown[] = [];
  conversation.watch(
    (seen) => {
      if (seen.type !== "permission") return;
      requests.push(seen.request);
      conversation.permissions.answer(seen.request.id, "session");
    },
    { asks: true },
  );
  for (const text of ["one", "two"]) {
    await conversation.send(user(text));
    await conversation.idle();
  }
  expect(requests).toMatchObject([
    { toolCall: { id: "t1", name: "execute", arguments: { command: "touch x" } }, subject: "touch x" },
  ]);
  expect(await linesOf(conversation)).toEqual([
    "user: one",
    "assistant (toolUse): toolCall",
    "toolResult",
    "assistant (stop): allow_once",
    "user: two",
    "assistant (toolUse): toolCall",
    "toolResult",
    "assistant (stop): allow_once",
  ]);
});

test("without an approver and by a rule, a call is rejected; a rule can allow it", async () => {
  const answerWith = async (
    permissions: NonNullable<NonNullable<Config["agents"]>[string]>["permissions"],
  ) => {
    const runtime = runtimeWith(agentWith(asks), {
      config: { agents: { claude: permissions === undefined ? {} : { permissions } } },
    });
    const conversation = await begin(runtime);
    await conversation.send(user("go"));
    await conversation.idle();
    return (await linesOf(conversation)).at(-1);
  };
  expect(await answerWith(undefined)).toBe("assistant (stop): reject_once");
  expect(await answerWith([{ tool: "*", action: "deny" }])).toBe("assistant (stop): reject_once");
  expect(await answerWith([{ tool: "acp/execute", pattern: "touch *", action: "allow" }])).toBe(
    "assistant (stop): allow_once",
  );
});

test("an abort answers the open question with cancelled, then cancels and waits for the program", async () => {
  const order: string[] = [];
  const agent = agentWith(async ({ text, ask, cancelled }) => {
    text("half");
    const call = { toolCallId: "t1", title: "x", kind: "execute" };
    const asking = ask(call).then((answer) => order.push(answer));
    await cancelled;
    order.push("session/cancel");
    await asking;
    return "cancelled";
  });
  const conversation = await begin(runtimeWith(agent));
  const asked = event(conversation, ({ type }) => type === "permission");
  conversation.watch(() => undefined, { asks: true });
  await conversation.send(user("go"));
  await asked;
  conversation.abort();
  await conversation.idle();
  expect(order).toEqual(["cancelled", "session/cancel"]);
  expect((await linesOf(conversation)).slice(-2)).toEqual([
    "assistant (toolUse): half|toolCall",
    "toolResult (error)",
  ]);
  agent.script = hello;
  await ask(conversation, "again");
  expect((await linesOf(conversation)).at(-1)).toBe("assistant (stop): Hello 1");
  expect(agent.starts).toBe(1);
});

test("compaction and another model are refused", async () => {
  const runtime = runtimeWith(agentWith(hello));
  const conversation = await begin(runtime);
  await expect(conversation.compact()).rejects.toMatchObject({
    code: "acp/not-ours",
    message: 'the agent "claude" is a program of its own: it compacts its context itself',
  });
  await conversation.describe({ model: "demo/echo" });
  expect(runtime.agents.modelOf("claude", await conversation.meta())).toBe("acp/claude");
});

test("the configured MCP servers are passed on, and content that it cannot read is replaced", async () => {
  const agent = agentWith(hello);
  const runtime = runtimeWith(agent, {
    config: {
      mcpServers: {
        files: { command: "mcp-files", args: ["."], env: { A: "\u0024{UNSET:-b}" } },
        web: { url: "https://mcp.example.com" },
        off: { command: "no" },
      },
      agents: { claude: { mcpServers: { off: false } } },
    },
  });
  const conversation = await begin(runtime);
  const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
  await conversation.send({ role: "user", content: [{ type: "text", text: "see" }, image], timestamp: 1 });
  await conversation.idle();
  expect(agent.calls.slice(1).map(({ params }) => params)).toMatchObject([
    { mcpServers: [{ name: "files", command: "mcp-files", args: ["."], env: [{ name: "A", value: "b" }] }] },
    {
      prompt: [
        { type: "text", text: "see" },
        { type: "text", text: "[image that you cannot read: image/png]" },
      ],
    },
  ]);
});

test("a required login is an error that names the methods", async () => {
  const agent = agentWith(hello, { authMethods: [{ id: "api-key", name: "API key" }] });
  const runtime = runtimeWith(agent, {
    config: { agents: { claude: { acp: { command: "x", authMethod: "oauth" } } } },
  });
  const conversation = await begin(runtime);
  await ask(conversation, "hi");
  expect((await conversation.messages()).at(-1)).toMatchObject({
    stopReason: "error",
    errorMessage: 'the program has no login method "oauth" (its methods are api-key)',
    ext: { failure: { code: "acp/login" } },
  });
});
