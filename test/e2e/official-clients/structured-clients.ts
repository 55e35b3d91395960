import Anthropic from "@anthropic-ai/sdk";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { GoogleGenAI, Type } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import type { Target } from "./tool-loops.js";

/** What every client asks for. */
export const Weather = z.object({
  city: z.string(),
  sky: z.enum(["clear", "grey"]),
  degrees: z.number(),
  wind: z.number().nullable(),
  stations: z.array(z.object({ name: z.string(), open: z.boolean() })),
});

/** Asks for JSON as the client's documentation shows, and returns what the client has parsed. */
export type StructuredClient = (target: Target) => Promise<unknown>;

export const QUESTION = "Oslo";
const messages = [{ role: "user" as const, content: QUESTION }];
const jsonSchema = z.toJSONSchema(Weather);

function openai({ url, key }: Target): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
}

const chat: StructuredClient = async (target) => {
  const body = { model: target.model, messages, response_format: zodResponseFormat(Weather, "weather") };
  const { completions } = openai(target).chat;
  const { choices } = target.stream
    ? await completions.stream(body).finalChatCompletion()
    : await completions.parse(body);
  return choices[0]?.message.parsed;
};

const responses: StructuredClient = async (target) => {
  const text = { format: zodTextFormat(Weather, "weather") };
  const body = { model: target.model, input: QUESTION, text };
  const client = openai(target);
  const { output_parsed: parsed } = target.stream
    ? await client.responses.stream(body).finalResponse()
    : await client.responses.parse(body);
  return parsed;
};

const anthropic: StructuredClient = async ({ url, key, model, stream }) => {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });
  const body = { model, max_tokens: 500, messages, output_config: { format: zodOutputFormat(Weather) } };
  const message = stream
    ? await client.messages.stream(body).finalMessage()
    : await client.messages.parse(body);
  return message.parsed_output;
};

async function googleText({ url, key, model, stream }: Target, config: object): Promise<unknown> {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
  const body = { model, contents: QUESTION, config: { responseMimeType: "application/json", ...config } };
  if (!stream) return JSON.parse((await client.models.generateContent(body)).text ?? "");
  let text = "";
  for await (const chunk of await client.models.generateContentStream(body)) text += chunk.text ?? "";
  return JSON.parse(text);
}

/** The same in Google's own kind of schema. */
const responseSchema = {
  type: Type.OBJECT,
  properties: {
    city: { type: Type.STRING },
    sky: { type: Type.STRING, format: "enum", enum: ["clear", "grey"] },
    degrees: { type: Type.NUMBER },
    wind: { type: Type.NUMBER, nullable: true },
    stations: {
      type: Type.ARRAY,
      items: {
        type: Type.OBJECT,
        properties: { name: { type: Type.STRING }, open: { type: Type.BOOLEAN } },
        required: ["name", "open"],
      },
    },
  },
  required: ["city", "sky", "degrees", "wind", "stations"],
};

const ollama: StructuredClient = async ({ url, key, model, stream }) => {
  const client = new Ollama({ host: url, headers: { authorization: `Bearer ${key}` } });
  const body = { model, messages, format: jsonSchema };
  if (!stream) return JSON.parse((await client.chat(body)).message.content);
  let text = "";
  for await (const part of await client.chat({ ...body, stream: true })) text += part.message.content;
  return JSON.parse(text);
};

/** The providers' own clients. */
export const structuredClients: Readonly<Record<string, StructuredClient>> = {
  "openai chat.completions.parse": chat,
  "openai responses.parse": responses,
  "@anthropic-ai/sdk messages.parse": anthropic,
  "@google/genai responseJsonSchema": (target) => googleText(target, { responseJsonSchema: jsonSchema }),
  "@google/genai responseSchema": (target) => googleText(target, { responseSchema }),
  "ollama format": ollama,
};
