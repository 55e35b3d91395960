import Anthropic from "@anthropic-ai/sdk";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { expect, test } from "vitest";
import { z } from "zod";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();

/** Refers to itself, and has unions, limits and formats. */
const Node = z.object({
  label: z.string(),
  get child() {
    return Node.nullable();
  },
});
const Order = z.object({
  id: z.uuid(),
  placed: z.iso.datetime(),
  email: z.email(),
  rating: z.int().min(2).max(5),
  share: z.number().gt(0).lt(1),
  items: z.array(z.object({ sku: z.string().min(6), count: z.int().positive() })).min(1),
  payment: z.union([
    z.object({ kind: z.literal("card"), last4: z.string() }),
    z.object({ kind: z.literal("cash") }),
  ]),
  note: z.string().nullable(),
  tree: Node,
});

const model = "demo/echo";
const messages = [{ role: "user" as const, content: "Oslo" }];
const jsonSchema = z.toJSONSchema(Order);

const clients: Readonly<Record<string, () => Promise<unknown>>> = {
  openai: async () => {
    const client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
    const text = { format: zodTextFormat(Order, "order") };
    return (await client.responses.parse({ model, input: messages, text })).output_parsed;
  },
  google: async () => {
    const client = new GoogleGenAI({ apiKey: gateway().chat, httpOptions: { baseUrl: gateway().url } });
    const config = { responseMimeType: "application/json", responseJsonSchema: jsonSchema };
    return JSON.parse((await client.models.generateContent({ model, contents: "Oslo", config })).text ?? "");
  },
  ollama: async () => {
    const headers = { authorization: `Bearer ${gateway().chat}` };
    const client = new Ollama({ host: gateway().url, headers });
    return JSON.parse((await client.chat({ model, messages, format: jsonSchema })).message.content);
  },
};

test.each(Object.keys(clients))("a demo model fits a schema of every kind: %s", async (name) => {
  expect(Order.parse(await clients[name]?.())).toEqual({
    id: "00000000-0000-4000-8000-000000000000",
    placed: "2026-01-01T00:00:00Z",
    email: "demo@example.com",
    rating: 2,
    share: 0.5,
    items: [{ sku: "Osloxx", count: 1 }],
    payment: { kind: "card", last4: "Oslo" },
    note: "Oslo",
    tree: { label: "Oslo", child: { label: "Oslo", child: { label: "Oslo", child: null } } },
  });
});

test("Anthropic's client keeps the limits of numbers to itself", async () => {
  const client = new Anthropic({ baseURL: gateway().url, apiKey: gateway().chat, maxRetries: 0 });
  const Rating = z.object({ kind: z.enum(["a", "b"]), rating: z.int().max(5) });
  const { parsed_output: parsed } = await client.messages.parse({
    model,
    max_tokens: 500,
    messages,
    output_config: { format: zodOutputFormat(Rating) },
  });
  expect(parsed).toEqual({ kind: "a", rating: 1 });
});

test("a schema that requires a huge answer is refused with its reason", async () => {
  const client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
  const schema = { type: "array", items: { type: "string" }, minItems: 1e9 };
  const json_schema = { name: "huge", schema };
  await expect(
    client.chat.completions.create({
      model,
      messages,
      response_format: { type: "json_schema", json_schema },
    }),
  ).rejects.toMatchObject({
    status: 400,
    type: "invalid_request_error",
    message: expect.stringContaining("requires a larger answer than the demo models write"),
  });
});
