import { expect, test } from "vitest";
import { brief } from "../../test/fakes/agent-outline.js";
import { calls, says, scriptedModel } from "../../test/fakes/scripted-model.js";
import type { AgentEvent, AgentMessage } from "../core/index.js";
import { run } from "./run.js";
import { type SubAgentOptions, type SubAgentTask, subAgentTool } from "./sub-agent.js";

const agents = [
  { name: "scout", description: "Finds things out." },
  { name: "smith", description: "Makes things." },
];

async function runWith(
  options: Partial<SubAgentOptions>,
  first = calls(["a", "agent", { agent: "scout", prompt: "Look" }]),
) {
  const tasks: SubAgentTask[] = [];
  const start = async (task: SubAgentTask) => {
    tasks.push(task);
    task.update("looking");
    await new Promise((resolve) => setImmediate(resolve));
    return { session: `s-${task.toolCallId}`, text: `${task.agent} is done` };
  };
  const model = scriptedModel([first, says("Thanks.")]);
  const list: AgentEvent[] = [];
  const tools = [subAgentTool({ agents, start, now: () => 9, ...options })];
  const prompt: AgentMessage = { role: "user", content: "Go", timestamp: 1 };
  for await (const event of run([prompt], { model, tools })) list.push(event);
  const last = list.at(-1);
  return { list, tasks, model, messages: last?.type === "agent_end" ? last.messages : [] };
}

test("the answer is the result, and the log says which session it came from", async () => {
  const { messages, tasks, model, list } = await runWith(
    {},
    calls(
      ["a", "agent", { agent: "scout", prompt: "Look" }],
      ["b", "agent", { agent: "smith", prompt: "Make" }],
    ),
  );
  expect(brief(messages)).toEqual([
    "user: Go",
    "assistant toolUse: a b",
    "result a: scout is done",
    "result b: smith is done",
    "agentComplete",
    "agentComplete",
    "assistant stop: Thanks.",
  ]);
  expect(messages[2]).toMatchObject({ details: { session: "s-a" } });
  expect(messages[4]).toMatchObject({
    role: "agentComplete",
    agentId: "s-a",
    sender: "scout",
    result: "scout is done",
    timestamp: 9,
    ext: { subAgent: { toolCallId: "a" } },
  });
  expect(tasks).toMatchObject([
    { agent: "scout", prompt: "Look", toolCallId: "a", depth: 1 },
    { agent: "smith", prompt: "Make", toolCallId: "b", depth: 1 },
  ]);
  expect(list.filter(({ type }) => type === "tool_execution_update")).toMatchObject([
    { toolCallId: "a", partialResult: { content: "looking" } },
    { toolCallId: "b", partialResult: { content: "looking" } },
  ]);
  // The model has read the results: it is not told twice.
  expect(model.asked[1]?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "toolResult",
  ]);
});

test("the model is told whom it can ask, and what is wrong if it asks anybody else", async () => {
  const { messages, model } = await runWith({}, calls(["a", "agent", { agent: "nobody", prompt: "x" }]));
  expect(model.asked[0]?.tools).toMatchObject([
    {
      name: "agent",
      description:
        "Gives a task to another agent and waits for its answer. There are:\n- scout: Finds things out.\n- smith: Makes things.",
      parameters: { properties: { agent: { enum: ["scout", "smith"] } } },
    },
  ]);
  expect(brief(messages)[2]).toBe(
    'failed a: the arguments of "agent" do not fit its schema:\n- agent: Instance does not match any of ["scout","smith"].',
  );
});

test("depth is counted, and limited", async () => {
  const { tasks } = await runWith({ depth: 2 });
  expect(tasks.map(({ depth }) => depth)).toEqual([3]);
  const deep = await runWith({ depth: 3 });
  expect(deep.tasks).toEqual([]);
  expect(brief(deep.messages)[2]).toBe(
    "failed a: agents may start agents no more than 3 deep; do it yourself",
  );
});

test("an agent that fails, or cannot be started, is a failed call", async () => {
  const failed = await runWith({ start: async () => ({ session: "s", text: "I gave up", isError: true }) });
  expect(brief(failed.messages).slice(2, 4)).toEqual(["failed a: I gave up", "agentComplete"]);
  const missing = await runWith({ start: () => Promise.reject(new Error("no such model")) });
  expect(brief(missing.messages).slice(2)).toEqual(["failed a: no such model", "assistant stop: Thanks."]);
});
