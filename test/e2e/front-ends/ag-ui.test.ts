import { HttpAgent as HttpAgent1, type Message } from "@ag-ui/client";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { describe, expect, test } from "vitest";
import type { TestGateway } from "../../fakes/gateway.js";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { copilot } from "./copilot.js";
import { frontGateway, SCRIPT, scripted, storedChat, untilText } from "./front-gateway.js";

/** What both versions of the client have. */
interface Agent {
  messages: unknown[];
  runAgent(parameters?: object, subscriber?: object): Promise<unknown>;
  abortRun(): void;
  addMessage(message: { id: string; role: "user"; content: string }): void;
}

const clients: [string, (url: string, threadId: string, token: string) => Agent][] = [
  [
    "1.0.0",
    (url, threadId, token) =>
      new HttpAgent1({ url, threadId, headers: { authorization: `Bearer ${token}` } }),
  ],
  [
    "0.0.59",
    (url, threadId, token) =>
      new HttpAgent0({ url, threadId, headers: { authorization: `Bearer ${token}` } }),
  ],
];

function shortly(messages: readonly unknown[]): string[] {
  return (messages as Message[]).map((message) => {
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
    const called = calls.map(({ function: { name, arguments: args } }) => ` ${name}(${args})`).join("");
    return `${message.role}: ${message.role === "activity" ? "" : (message.content ?? "")}${called}`;
  });
}

function idsIn(messages: readonly unknown[]): string[] {
  return (messages as Message[]).map(({ id }) => id);
}

const runUrl = (gateway: TestGateway) => `${gateway.url}/ag-ui/agent/main/run`;
const connectUrl = (gateway: TestGateway) => `${gateway.url}/ag-ui/agent/main/connect`;

describe.each(clients)("@ag-ui/client %s", (_, clientOf) => {
  test("shows an answer with thinking and a tool as it is stored, and again when it connects", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const agent = clientOf(runUrl(gateway), "t1", gateway.chat);
    agent.addMessage({ id: "u1", role: "user", content: SCRIPT });
    await agent.runAgent();
    const shown = shortly(agent.messages);
    expect(shown.map((line) => line.split("\n")[0])).toEqual([
      "user: think: Hm.",
      "reasoning: Hm.",
      'assistant: Let me look. read({"file_path":"a.txt"})',
      expect.stringMatching(/^tool: .*Buy milk\./),
      "assistant: It is there.",
    ]);
    expect((await storedChat(gateway, "t1")).texts.slice(1)).toEqual([
      "assistant: Let me look.",
      "assistant: It is there.",
    ]);
    const other = clientOf(connectUrl(gateway), "t1", gateway.read);
    await other.runAgent();
    expect(shortly(other.messages)).toEqual(shown);
    expect(idsIn(other.messages)).toEqual(idsIn(agent.messages));
  });

  test("a second client connects mid-answer, and both end with the same text", async () => {
    const model = new SteppedModel();
    const gateway = await frontGateway({ config: model.config, models: model });
    const first = clientOf(runUrl(gateway), "t2", gateway.chat);
    first.addMessage({ id: "u1", role: "user", content: "Count" });
    const half = untilText("one ");
    const running = first.runAgent({}, half.subscriber);
    await model.isAsked(1);
    model.send({ text: "one " });
    await half.seen;
    const second = clientOf(connectUrl(gateway), "t2", gateway.read);
    const joined = untilText("one ");
    const connected = second.runAgent({}, joined.subscriber);
    await joined.seen;
    model.send({ text: "two", stop: "stop" });
    await Promise.all([running, connected]);
    for (const agent of [first, second]) {
      expect(shortly(agent.messages)).toEqual(["user: Count", "assistant: one two"]);
    }
    expect((await storedChat(gateway, "t2")).texts).toEqual(["user: Count", "assistant: one two"]);
  });

  test("a run is stopped by its route", async () => {
    const model = new SteppedModel();
    const gateway = await frontGateway({ config: model.config, models: model });
    const agent = clientOf(runUrl(gateway), "t3", gateway.chat);
    agent.addMessage({ id: "u1", role: "user", content: "Go" });
    const half = untilText("Half");
    const running = agent.runAgent({}, half.subscriber);
    await model.isAsked(1);
    model.send({ text: "Half" });
    await half.seen;
    const stop = () => gateway.fetch("/ag-ui/agent/main/stop/t3", { method: "POST", token: gateway.chat });
    expect(await (await stop()).json()).toEqual({ stopped: true });
    await running;
    expect(shortly(agent.messages)).toEqual(["user: Go", "assistant: Half"]);
    expect((await storedChat(gateway, "t3")).stops).toEqual(["aborted"]);
    expect(await (await stop()).json()).toEqual({ stopped: false });
  });

  test("a failure reaches the client, also as part of the history", async () => {
    const model = new SteppedModel();
    const fetch: typeof globalThis.fetch = async () =>
      new Response(JSON.stringify({ error: { message: "no such model" } }), { status: 404 });
    const gateway = await frontGateway({ config: model.config, models: { fetch } });
    const agent = clientOf(runUrl(gateway), "t4", gateway.chat);
    const errors: string[] = [];
    const subscriber = {
      onRunErrorEvent: ({ event }: { event: { message: string } }) => void errors.push(event.message),
    };
    for (const id of ["u1", "u2"]) {
      agent.addMessage({ id, role: "user", content: "Go" });
      await agent.runAgent({}, subscriber).catch(() => undefined);
    }
    expect(errors).toEqual([
      expect.stringContaining("no such model"),
      expect.stringContaining("no such model"),
    ]);
    const other = clientOf(connectUrl(gateway), "t4", gateway.read);
    await other.runAgent();
    expect(shortly(other.messages)).toEqual(["user: Go", "user: Go"]);
  });
});

describe("CopilotKit", () => {
  test("connects, runs, and shows the thread again", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const { core, agent } = await copilot(gateway.url, gateway.chat, "k1");
    await core.connectAgent({ agent });
    agent.addMessage({ id: "u1", role: "user", content: SCRIPT });
    await core.runAgent({ agent });
    expect(shortly(agent.messages).at(-1)).toBe("assistant: It is there.");
    const again = await copilot(gateway.url, gateway.chat, "k1");
    await again.core.connectAgent({ agent: again.agent });
    expect(shortly(again.agent.messages)).toEqual(shortly(agent.messages));
  });

  test("stops a run", async () => {
    const model = new SteppedModel();
    const gateway = await frontGateway({ config: model.config, models: model });
    const { core, agent } = await copilot(gateway.url, gateway.chat, "k2");
    agent.addMessage({ id: "u1", role: "user", content: "Go" });
    const half = untilText("Half");
    agent.subscribe(half.subscriber);
    const running = core.runAgent({ agent });
    await model.isAsked(1);
    model.send({ text: "Half" });
    await half.seen;
    core.stopAgent({ agent });
    await running;
    const { conversation } = await storedChat(gateway, "k2");
    await conversation.idle();
    expect((await storedChat(gateway, "k2")).stops).toEqual(["aborted"]);
  });
});
