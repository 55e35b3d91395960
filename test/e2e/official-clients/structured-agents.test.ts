import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { gatewayForEachTest } from "./gateway.js";
import { structuredClients } from "./structured-clients.js";

const gateway = gatewayForEachTest();
const Report = z.object({ report: z.string() });
const format = zodResponseFormat(Report, "report");

function openai(session?: string): OpenAI {
  const defaultHeaders = session === undefined ? {} : { "x-dragoman-session": session };
  return new OpenAI({
    baseURL: `${gateway().url}/v1`,
    apiKey: gateway().chat,
    maxRetries: 0,
    defaultHeaders,
  });
}

describe.each([false, true])("an agent, streamed: %s", (stream) => {
  test.each(Object.keys(structuredClients))("answers %s in the form that it asks for", async (name) => {
    const { url, chat: key } = gateway();
    expect(await structuredClients[name]?.({ url, key, model: "agent/main", stream })).toEqual({
      city: "Oslo",
      sky: "clear",
      degrees: 1,
      wind: 1,
      stations: [],
    });
  });
});

test("the form of one message is not that of the next", async () => {
  const client = openai("agent:main:forms");
  const ask = { model: "agent/main", messages: [{ role: "user" as const, content: "Oslo" }] };
  const { choices: first } = await client.chat.completions.create({ ...ask, response_format: format });
  const { choices: second } = await client.chat.completions.create(ask);
  expect([first[0]?.message.content, second[0]?.message.content]).toEqual(['{"report":"Oslo"}', "Oslo"]);
});

test("the answer after tool calls is JSON alone, and nothing is listed as lost", async () => {
  const tools = {
    model: "demo/tools",
    tools: ["read"],
    permissions: [{ tool: "*", action: "deny" as const }],
  };
  await gateway().restart({ agents: { tools } });
  const { data, response } = await openai()
    .chat.completions.parse({
      model: "agent/tools",
      messages: [{ role: "user", content: "Go." }],
      response_format: format,
    })
    .withResponse();
  expect(data.choices[0]?.message.parsed?.report).toMatch(/^read said: /);
  expect(response.headers.get("x-dragoman-losses")).toBeNull();
});

test("an agent has a form of its own, which a client can change", async () => {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  await gateway().restart({ agents: { cities: { model: "demo/echo", output: { schema } } } });
  const ask = { model: "agent/cities", messages: [{ role: "user" as const, content: "Oslo" }] };
  const { choices: own } = await openai().chat.completions.create(ask);
  const { choices: asked } = await openai().chat.completions.create({ ...ask, response_format: format });
  expect([own[0]?.message.content, asked[0]?.message.content]).toEqual([
    '{"city":"Oslo"}',
    '{"report":"Oslo"}',
  ]);
});
