import { createOpenAI } from "@ai-sdk/openai";
import { Agent, OpenAIConversationsSession, OpenAIProvider, Runner, tool } from "@openai/agents";
import { tool as aiTool, generateText, stepCountIs, streamText } from "ai";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  PROVIDER_KEY,
  type ServedApi,
  type StrictProvider,
  strictProvider,
} from "../../fakes/strict/provider.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
const open: StrictProvider[] = [];

afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
});

/** A gateway with a strict provider: its model calls `lookup` five times, and wants its signatures back each time. */
async function setUp(api: ServedApi) {
  const strict = await strictProvider(api);
  open.push(strict);
  const acme = { baseUrl: strict.baseUrl, apiKey: PROVIDER_KEY, api, maxRetries: 0 };
  const model = `acme/${strict.model}`;
  await gateway().restart({ providers: { acme }, models: { [model]: {} } });
  const access = { baseURL: `${gateway().url}/v1`, apiKey: gateway().chat };
  return { strict, model, access, client: new OpenAI({ ...access, maxRetries: 0 }) };
}

const DONE = "Done after 5 calls.";
const description = "Looks a step up.";
const parameters = z.object({ step: z.number() });
const execute = async ({ step }: { step: number }) => `found ${step}`;

async function typesIn(client: OpenAI, conversation: string): Promise<string[]> {
  const types: string[] = [];
  const query = { order: "asc" as const };
  for await (const { type } of client.conversations.items.list(conversation, query)) types.push(type);
  return types.filter((type) => type !== "reasoning" && type !== "web_search_call");
}

describe.each(["openai-responses", "anthropic"] as const)("OpenAI Agents on %s", (api) => {
  async function agents() {
    const setup = await setUp(api);
    // The provider finds its own copy of the client; ours has the same version.
    const modelProvider = new OpenAIProvider({ openAIClient: setup.client, useResponses: true });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const lookup = tool({ name: "lookup", description, parameters, execute });
    const agent = new Agent({ name: "A", instructions: "Be brief.", model: setup.model, tools: [lookup] });
    return { ...setup, runner, agent };
  }

  test("continue a response", async () => {
    const { runner, agent, strict } = await agents();
    const { lastResponseId: previousResponseId = "" } = await runner.run(agent, "Go.");
    const result = await runner.run(agent, "Again.", { previousResponseId });
    expect(strict.refusals).toEqual([]);
    expect(result.finalOutput).toBe(DONE);
    expect(strict.requests).toHaveLength(7);
    expect(JSON.stringify(strict.requests.at(-1)?.body)).toMatch(/Go\..*Again\./);
  });

  test("run in a conversation", async () => {
    const { runner, agent, client, strict } = await agents();
    const { id } = await client.conversations.create();
    const result = await runner.run(agent, "Go.", { conversationId: id });
    expect(strict.refusals).toEqual([]);
    expect(result.finalOutput).toBe(DONE);
    const turn = ["function_call", "function_call_output"];
    expect(await typesIn(client, id)).toEqual(["message", ...Array(5).fill(turn).flat(), "message"]);
  });

  test.each([false, true])("keep their session in a conversation, streamed: %s", async (stream) => {
    const { runner, agent, client, strict } = await agents();
    const session = new OpenAIConversationsSession({ client });
    if (stream) {
      const result = await runner.run(agent, "Go.", { session, stream: true });
      for await (const _ of result);
      expect(result.finalOutput).toBe(DONE);
    } else {
      const result = await runner.run(agent, "Go.", { session });
      expect(result.finalOutput).toBe(DONE);
    }
    expect(strict.refusals).toEqual([]);
    const items = await session.getItems();
    expect(items.filter(({ type }) => type === "function_call")).toHaveLength(5);
    expect(await session.popItem()).toMatchObject({ type: "message", role: "assistant" });
    expect(await session.getItems()).toHaveLength(items.length - 1);
    await session.clearSession();
  });
});

describe("AI SDK", () => {
  const lookup = aiTool({ description, inputSchema: parameters, execute });
  const call = { tools: { lookup }, stopWhen: stepCountIs(8) };

  test.each([false, true])(
    "refers to the items of earlier steps, which keep their signatures, streamed: %s",
    async (stream) => {
      const { strict, model, access } = await setUp("anthropic");
      const asked = {
        model: createOpenAI(access)(model),
        prompt: "Go.",
        providerOptions: { openai: { reasoningEffort: "high", forceReasoning: true } },
        ...call,
      };
      const text = stream ? await streamText(asked).text : (await generateText(asked)).text;
      expect(strict.refusals).toEqual([]);
      expect(strict.requests).toHaveLength(6);
      expect(text).toBe(DONE);
    },
  );

  test.each(["openai-responses", "anthropic"] as const)("continues a response on %s", async (api) => {
    const { strict, model, access, client } = await setUp(api);
    const first = await client.responses.create({ model, input: "Go." });
    const call = first.output.find((item) => item.type === "function_call");
    const { text, toolCalls } = await generateText({
      model: createOpenAI(access)(model),
      messages: [
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: call?.call_id ?? "",
              toolName: "lookup",
              output: { type: "text", value: "found 0" },
            },
          ],
        },
      ],
      tools: { lookup: aiTool({ description, inputSchema: parameters }) },
      providerOptions: { openai: { previousResponseId: first.id } },
    });
    expect(strict.refusals).toEqual([]);
    expect({ text, inputs: toolCalls.map(({ input }) => input) }).toEqual({
      text: "",
      inputs: [{ step: 1 }],
    });
    expect(JSON.stringify(strict.requests.at(-1)?.body)).toMatch(/Go\..*found 0/);
  });

  test.each(["openai-responses", "anthropic"] as const)(
    "runs a loop after a response on %s, whose reasoning it does not repeat",
    async (api) => {
      const { strict, model, access, client } = await setUp(api);
      const { id } = await client.responses.create({ model: "demo/echo", input: "Hello." });
      const { text } = await generateText({
        model: createOpenAI(access)(model),
        prompt: "Go.",
        providerOptions: {
          openai: { previousResponseId: id, reasoningEffort: "high", forceReasoning: true },
        },
        ...call,
      });
      expect(strict.refusals).toEqual([]);
      expect(strict.requests).toHaveLength(6);
      expect(text).toBe(DONE);
    },
  );

  test("talks in a conversation", async () => {
    const { strict, model, access, client } = await setUp("anthropic");
    const { id } = await client.conversations.create();
    const { text } = await generateText({
      model: createOpenAI(access)(model),
      prompt: "Go.",
      providerOptions: { openai: { conversation: id } },
      ...call,
    });
    expect(strict.refusals).toEqual([]);
    expect(text).toBe(DONE);
    expect((await typesIn(client, id)).filter((type) => type === "function_call")).toHaveLength(5);
  });
});
