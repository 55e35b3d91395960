import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { type AgentModel, run, type Tool } from "../../src/agent/index.js";
import type { AgentEvent, AgentMessage, AssistantMessage } from "../../src/core/index.js";
import type { ApiName } from "../../src/dialects/registry.js";
import { connect } from "../../src/providers/connect.js";
import { transcriptProblems } from "../fakes/agent-outline.js";
import { modelServer, models } from "../fakes/model-server.js";
import { answer, says } from "../fakes/scripted-model.js";

const script = [
  answer([
    { type: "text", text: "I will look at both." },
    { type: "toolCall", id: "call_1", name: "look", arguments: { path: "a file.ts" } },
    { type: "toolCall", id: "call_2", name: "look", arguments: { path: "b.ts" } },
  ]),
  answer([{ type: "toolCall", id: "call_3", name: "look", arguments: { path: "c.ts" } }]),
  says("That was all."),
];
const welcome = says("Welcome back.");
// A server names what it sends after the time, where it names it, and never names two things alike.
for (const [index, message] of [...script, welcome].entries()) message.timestamp = index + 1;

const look: Tool = {
  name: "look",
  description: "Looks at a file",
  parameters: Type.Object({ path: Type.String() }),
  execute: async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return { content: "seen" };
  },
};

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

async function runOnce(model: AgentModel, prompt: string, history: AgentMessage[], stop?: number) {
  const controller = new AbortController();
  const list: AgentEvent[] = [];
  const options = { model, tools: [look], history, signal: controller.signal, systemPrompt: "Be brief." };
  for await (const event of run([user(prompt)], options)) if (list.push(event) === stop) controller.abort();
  const last = list.at(-1);
  return { list, messages: last?.type === "agent_end" ? last.messages : [] };
}

describe.each(Object.keys(models) as ApiName[])("%s", (name) => {
  const server = modelServer();
  const serve = (answers: readonly AssistantMessage[]) => server.serve(name, answers);
  const model = () =>
    connect(`local/${models[name].id}`, { api: name, baseUrl: server.url, apiKey: "k", maxRetries: 0 });

  test("aborted at any event, the conversation goes on", async () => {
    const whole = serve(script);
    const { list } = await runOnce(model(), "Look.", []);
    expect(whole.refused).toEqual([]);
    expect(list.length).toBeGreaterThan(40);
    const seen = { half: 0, aborted: 0 };
    for (let stop = 1; stop <= list.length; stop++) {
      serve(script);
      const { messages } = await runOnce(model(), "Look.", [], stop);
      expect(transcriptProblems(messages)).toEqual([]);
      if (messages.some((message) => message.role === "assistant" && message.stopReason === "aborted"))
        seen.half++;
      if (messages.some((message) => message.role === "toolResult" && message.isError)) seen.aborted++;

      const after = serve([welcome]);
      const next = await runOnce(model(), "Go on.", messages);
      expect(after.refused, `stopped at ${stop}`).toEqual([]);
      expect(next.messages.at(-1)).toMatchObject({
        stopReason: "stop",
        content: [{ text: "Welcome back." }],
      });
    }
    expect(seen.half).toBeGreaterThan(5);
    expect(seen.aborted).toBeGreaterThan(5);
  });
});
