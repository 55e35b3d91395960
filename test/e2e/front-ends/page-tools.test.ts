import { HttpAgent as HttpAgent1, type Message } from "@ag-ui/client";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { TestGateway } from "../../fakes/gateway.js";
import { requireBuild, workspace } from "../../support/cli/run-cli.js";
import { copilot } from "./copilot.js";
import { frontGateway, scripted, storedChat } from "./front-gateway.js";
import { startKillable } from "./killable-gateway.js";

beforeAll(requireBuild);
const files = workspace();

const SCRIPT = [
  "say: Let me paint.",
  'call: paint {"colour":"red"}',
  'call: paint {"colour":"blue"}',
  "---",
  "say: It is purple.",
].join("\n");

const paint = {
  name: "paint",
  description: "Paints the page.",
  parameters: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { colour: { type: "string", pattern: "^(a+)+$" } },
  },
};

/** The stored calls' results, as the model gets them. */
async function results(gateway: TestGateway, id: string) {
  const { conversation } = await storedChat(gateway, id);
  return (await conversation.messages()).flatMap((message) => {
    if (message.role !== "toolResult") return [];
    const [block] = message.content;
    return [`${message.isError ? "error" : "ok"}: ${block?.type === "text" ? block.text : ""}`];
  });
}

function shortly(messages: readonly unknown[]): string[] {
  return (messages as Message[]).map((message) => {
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
    const called = calls.map(({ function: { arguments: args } }) => ` ${args}`).join("");
    return `${message.role}: ${message.role === "activity" ? "" : (message.content ?? "")}${called}`;
  });
}

describe.each([
  ["1.0.0", HttpAgent1],
  ["0.0.59", HttpAgent0],
] as const)("@ag-ui/client %s", (version, HttpAgent) => {
  const agentOf = (url: string, token: string, route = "run") =>
    new HttpAgent({
      url: `${url}/ag-ui/agent/main/${route}`,
      threadId: "p1",
      headers: { authorization: `Bearer ${token}` },
    });

  test("a call of the page's tool ends the run, and the page's results continue it", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const agent = agentOf(gateway.url, gateway.chat);
    agent.addMessage({ id: "u1", role: "user", content: SCRIPT });
    const finished: unknown[] = [];
    const subscriber = {
      onRunFinishedEvent: (given: { event: { outcome?: unknown }; pendingToolCallIds?: string[] }) =>
        void finished.push({ outcome: given.event.outcome, open: given.pendingToolCallIds }),
    };
    await agent.runAgent({ tools: [paint] }, subscriber);
    expect(finished).toEqual([
      version === "1.0.0"
        ? { outcome: { type: "success" }, open: ["call_1_0", "call_1_1"] }
        : { outcome: undefined, open: undefined },
    ]);
    const early = await gateway.fetch("/ag-ui/agent/main/run", {
      method: "POST",
      body: JSON.stringify({
        threadId: "p1",
        runId: "r",
        messages: [{ id: "u2", role: "user", content: "?" }],
      }),
    });
    expect(`${early.status} ${(await early.json()).message}`).toBe(
      "409 the agent waits for the result of the page's tool paint; send it as a tool message",
    );
    agent.addMessage({ id: "r1", role: "tool", toolCallId: "call_1_0", content: "red now" });
    agent.addMessage({ id: "r2", role: "tool", toolCallId: "call_1_1", content: "", error: "no blue" });
    await agent.runAgent({ tools: [paint] });
    const shown = [
      expect.stringMatching(/^user: /),
      'assistant: Let me paint. {"colour":"red"} {"colour":"blue"}',
      "tool: red now",
      expect.stringMatching(/^tool: /),
      "assistant: It is purple.",
    ];
    expect(shortly(agent.messages)).toEqual(shown);
    expect(await results(gateway, "p1")).toEqual(["ok: red now", "error: no blue"]);
    const other = agentOf(gateway.url, gateway.read, "connect");
    await other.runAgent();
    expect(shortly(other.messages)).toEqual(shown);
  });

  test("a result arrives after kill -9 of the gateway, and the model gets it once", async () => {
    const gateway = await startKillable(files, {});
    const agent = agentOf(gateway.url, gateway.token);
    agent.addMessage({ id: "u1", role: "user", content: SCRIPT.replace(/\n.*blue.*/, "") });
    await agent.runAgent({ tools: [paint] });
    await gateway.killAndStart();
    agent.addMessage({ id: "r1", role: "tool", toolCallId: "call_1_0", content: "red now" });
    await agent.runAgent({ tools: [paint] });
    expect(shortly(agent.messages).slice(1)).toEqual([
      'assistant: Let me paint. {"colour":"red"}',
      "tool: red now",
      "assistant: It is purple.",
    ]);
  });
});

test("CopilotKit runs its tools, and continues the run by itself", async () => {
  const gateway = await frontGateway({ config: scripted() });
  const { core, agent } = await copilot(gateway.url, gateway.chat, "p2");
  const painted: unknown[] = [];
  core.addTool({
    name: "paint",
    description: "Paints the page.",
    parameters: z.object({ colour: z.string() }),
    handler: async (args) => {
      painted.push(args);
      return `${String(args["colour"])} now`;
    },
  });
  agent.addMessage({ id: "u1", role: "user", content: SCRIPT });
  await core.runAgent({ agent });
  expect(painted).toEqual([{ colour: "red" }, { colour: "blue" }]);
  expect(shortly(agent.messages).slice(1)).toEqual([
    'assistant: Let me paint. {"colour":"red"} {"colour":"blue"}',
    "tool: red now",
    "tool: blue now",
    "assistant: It is purple.",
  ]);
  expect(await results(gateway, "p2")).toEqual(["ok: red now", "ok: blue now"]);
});

describe("tools of the page", () => {
  const post = (gateway: TestGateway, more: object) =>
    gateway.fetch("/ag-ui/agent/main/run", {
      method: "POST",
      token: gateway.chat,
      body: JSON.stringify({
        threadId: "p3",
        runId: "r",
        messages: [{ id: "u1", role: "user", content: 'call: read {"file_path":"a.txt"}\n---\nsay: ok' }],
        ...more,
      }),
    });

  test("do not replace the agent's own, and the session records it", async () => {
    const gateway = await frontGateway({ config: scripted() });
    await (await post(gateway, { tools: [{ ...paint, name: "read" }] })).text();
    expect(await results(gateway, "p3")).toEqual([expect.stringContaining("Buy milk.")]);
    const { conversation } = await storedChat(gateway, "p3");
    expect(JSON.stringify(await conversation.messages())).toContain("the agent has a tool with this name");
  });

  test("can be forbidden by a rule", async () => {
    const config = scripted({ permissions: [{ tool: "paint", action: "deny" }] });
    const gateway = await frontGateway({ config });
    const messages = [{ id: "u1", role: "user", content: SCRIPT }];
    await (await post(gateway, { messages, tools: [paint] })).text();
    expect(await results(gateway, "p3")).toEqual([
      'error: the rules do not allow "paint"',
      'error: the rules do not allow "paint"',
    ]);
  });

  test("belong to the message that brought them", async () => {
    const gateway = await frontGateway({ config: scripted() });
    await (await post(gateway, { tools: [paint] })).text();
    const messages = [{ id: "u2", role: "user", content: SCRIPT.replace(/\n.*blue.*/, "") }];
    await (await post(gateway, { messages })).text();
    expect((await results(gateway, "p3")).at(-1)).toMatch(/^error: there is no tool "paint"/);
  });

  test.each<[string, unknown, string]>([
    ["an object", {}, "400 tools must be an array"],
    [
      "a name with a space",
      [{ name: "a b" }],
      "400 a tool needs a name of 1 to 64 letters, digits, underscores and hyphens",
    ],
    ["a name twice", [paint, paint], "400 two tools have the same name"],
    [
      "a text as parameters",
      [{ ...paint, parameters: "x" }],
      "400 the parameters of the tool paint must be a JSON Schema",
    ],
    [
      "too many",
      Array.from({ length: 129 }, (_, index) => ({ name: `t${index}` })),
      "400 tools can have at most 128 entries",
    ],
  ])("%s: refused", async (_, tools, refusal) => {
    const gateway = await frontGateway();
    const response = await post(gateway, { tools });
    expect(`${response.status} ${(await response.json()).message}`).toBe(refusal);
  });
});
