import { expect, test } from "vitest";
import { agentWith, ask, begin, hello, linesOf, lossesIn, runtimeWith } from "../../fakes/acp-world.js";
import { event, user } from "../../fakes/watching.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

test("a program that dies leaves its partial answer, and the next message starts it again", async () => {
  const agent = agentWith(
    async ({ text, send, cancelled }) => {
      text("half");
      send({ sessionUpdate: "tool_call", toolCallId: "t1", title: "x", kind: "read", status: "in_progress" });
      await cancelled;
      return "cancelled";
    },
    { capabilities: { sessionCapabilities: { resume: {} } } },
  );
  const conversation = await begin(runtimeWith(agent));
  const running = event(
    conversation,
    (seen) => seen.type === "agent" && seen.event.type === "tool_execution_start",
  );
  await conversation.send(user("go"));
  await running;
  agent.kill();
  await conversation.idle();
  expect((await linesOf(conversation)).slice(-3)).toEqual([
    "assistant (toolUse): half|toolCall",
    "toolResult (error)",
    "assistant (error): ",
  ]);
  const failed = (await conversation.messages()).findLast(({ role }) => role === "assistant");
  expect(failed).toMatchObject({
    errorMessage: 'the agent program "claude-agent-acp" failed: the process was ended by SIGKILL',
  });
  agent.script = hello;
  await ask(conversation, "again");
  expect((await linesOf(conversation)).at(-1)).toBe("assistant (stop): Hello 1");
  expect(agent.methods.slice(-3)).toEqual(["initialize", "session/resume", "session/prompt"]);
});

test.each([
  {
    capabilities: { sessionCapabilities: { resume: {} }, loadSession: true },
    method: "session/resume",
    replaysLate: false,
  },
  { capabilities: { loadSession: true }, method: "session/load", replaysLate: false },
  { capabilities: { loadSession: true }, method: "session/load", replaysLate: true },
])("another process continues with $method, without doubling (late replay: $replaysLate)", async (given) => {
  const home = temporaryFolder();
  const { capabilities, method, replaysLate } = given;
  const first = agentWith(hello, { capabilities });
  const runtime = runtimeWith(first, { home });
  await ask(await begin(runtime), "one");
  await runtime.close();
  const second = agentWith(hello, { capabilities, replaysLate, disk: first.disk });
  const conversation = await begin(runtimeWith(second, { home }));
  await ask(conversation, "two");
  expect(second.calls.map((call) => [call.method, call.params["sessionId"]])).toEqual([
    ["initialize", undefined],
    [method, "s1"],
    ["session/prompt", "s1"],
  ]);
  expect(await linesOf(conversation)).toEqual([
    "user: one",
    "assistant (stop): Hello 1",
    "user: two",
    "assistant (stop): Hello 1",
  ]);
});

test.each([
  { name: "that cannot continue", capabilities: {}, resume: true },
  { name: "that must not continue", capabilities: { loadSession: true }, resume: false },
])("a program $name gets a new session, which the ledger records", async ({ capabilities, resume }) => {
  const home = temporaryFolder();
  const first = agentWith(hello, { capabilities });
  const runtime = runtimeWith(first, { home });
  await ask(await begin(runtime), "one");
  await runtime.close();
  const second = agentWith(hello, { capabilities, disk: first.disk });
  const config = { agents: { claude: { acp: { command: "claude-agent-acp", resume } } } };
  const conversation = await begin(runtimeWith(second, { home, config }));
  await ask(conversation, "two");
  expect(second.methods).toEqual(["initialize", "session/new", "session/prompt"]);
  expect(await lossesIn(conversation)).toEqual([
    "acp/claude approximated the context of the model",
    "acp/claude dropped earlier messages",
  ]);
});

test("answers that only the program's own session has are recorded as a difference", async () => {
  const home = temporaryFolder();
  const capabilities = { loadSession: true };
  const first = agentWith(hello, { capabilities });
  const runtime = runtimeWith(first, { home });
  await ask(await begin(runtime), "one");
  await runtime.close();
  first.disk
    .get("s1")
    ?.push({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "more" } });
  const second = agentWith(hello, { capabilities, disk: first.disk });
  const conversation = await begin(runtimeWith(second, { home }));
  await ask(conversation, "two");
  expect(await lossesIn(conversation)).toEqual([
    "acp/claude approximated the context of the model",
    "acp/claude approximated answers in the program's own session",
  ]);
});
