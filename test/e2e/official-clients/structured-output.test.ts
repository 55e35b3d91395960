import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();

const schema = {
  type: "object" as const,
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const model = "demo/echo";
const messages = [{ role: "user" as const, content: "Oslo" }];

function openai(): OpenAI {
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
}

/** How the client of each API asks a model of another API for JSON that fits a schema. */
const clients: Readonly<Record<string, () => Promise<string | null | undefined>>> = {
  chat: async () => {
    const { choices } = await openai().chat.completions.create({
      model,
      messages,
      response_format: { type: "json_schema", json_schema: { name: "weather", schema, strict: true } },
    });
    return choices[0]?.message.content;
  },
  responses: async () => {
    const text = { format: { type: "json_schema" as const, name: "weather", schema, strict: true } };
    return (await openai().responses.create({ model, input: messages, text })).output_text;
  },
  anthropic: async () => {
    const client = new Anthropic({ baseURL: gateway().url, apiKey: gateway().chat, maxRetries: 0 });
    const { content } = await client.messages.create({
      model,
      max_tokens: 100,
      messages,
      output_config: { format: { type: "json_schema", schema } },
    });
    return content[0]?.type === "text" ? content[0].text : undefined;
  },
  google: async () => {
    const client = new GoogleGenAI({ apiKey: gateway().chat, httpOptions: { baseUrl: gateway().url } });
    const config = { responseMimeType: "application/json", responseJsonSchema: schema };
    return (await client.models.generateContent({ model, contents: "Oslo", config })).text;
  },
  ollama: async () => {
    const headers = { authorization: `Bearer ${gateway().chat}` };
    const client = new Ollama({ host: gateway().url, headers });
    return (await client.chat({ model, messages, format: schema })).message.content;
  },
};

test.each(Object.keys(clients))("a client of %s gets JSON that fits its schema", async (name) => {
  expect(await clients[name]?.()).toBe('{"city":"Oslo","degrees":1}');
});

test("OpenAI's client parses it", async () => {
  const { choices } = await openai().chat.completions.parse({
    model,
    messages,
    response_format: { type: "json_schema", json_schema: { name: "weather", schema, strict: true } },
  });
  expect(choices[0]?.message.content).toBe('{"city":"Oslo","degrees":1}');
});
