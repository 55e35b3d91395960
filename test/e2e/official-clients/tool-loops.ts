import Anthropic from "@anthropic-ai/sdk";
import {
  type Content,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  ThinkingLevel,
} from "@google/genai";
import { type Message, Ollama } from "ollama";
import OpenAI from "openai";
import type { ServedApi } from "../../fakes/strict/provider.js";

/** Where a client is pointed at. */
export interface Target {
  url: string;
  key: string;
  model: string;
  stream: boolean;
}

const parameters = {
  type: "object" as const,
  properties: { step: { type: "number" } },
  required: ["step"],
  additionalProperties: false,
};
const description = "Looks a step up.";

/** Runs tools until the model has done with them, as the client's documentation shows; the model's last words. */
export type ToolLoop = (target: Target) => Promise<string>;

async function anthropic({ url, key, model, stream }: Target): Promise<string> {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });
  const messages: Anthropic.Beta.BetaMessageParam[] = [
    { role: "user", content: "Go." },
    { role: "system", content: "Be brief." },
  ];
  for (;;) {
    const body = {
      model,
      max_tokens: 4000,
      thinking: { type: "adaptive" as const },
      context_management: { edits: [{ type: "clear_tool_uses_20250919" as const }] },
      betas: ["context-management-2025-06-27", "mid-conversation-system-2026-04-07"],
      tools: [{ name: "lookup", description, input_schema: parameters }],
      messages,
    };
    const message = stream
      ? await client.beta.messages.stream(body).finalMessage()
      : await client.beta.messages.create(body);
    messages.push({ role: "assistant", content: message.content });
    const results = message.content.flatMap((block) =>
      block.type === "tool_use"
        ? [{ type: "tool_result" as const, tool_use_id: block.id, content: `found ${block.id}` }]
        : [],
    );
    if (results.length === 0) {
      return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    }
    messages.push({ role: "user", content: results });
  }
}

async function responses({ url, key, model, stream }: Target): Promise<string> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  const input: OpenAI.Responses.ResponseInput = [
    { role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
    { role: "user", content: "Go." },
  ];
  for (;;) {
    const body = {
      model,
      store: false,
      reasoning: { effort: "high" as const },
      include: ["reasoning.encrypted_content" as const],
      tools: [
        { type: "function" as const, name: "lookup", description, parameters, strict: true },
        { type: "custom" as const, name: "note" },
      ],
      input,
    };
    const response = stream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);
    input.push(...asInput(response.output));
    const outputs = response.output.flatMap((item): OpenAI.Responses.ResponseInputItem[] => {
      if (item.type === "function_call") {
        return [{ type: "function_call_output", call_id: item.call_id, output: `found ${item.call_id}` }];
      }
      if (item.type !== "custom_tool_call") return [];
      return [{ type: "custom_tool_call_output", call_id: item.call_id, output: "noted" }];
    });
    if (outputs.length === 0) return response.output_text;
    input.push(...outputs);
  }
}

/** Without what the stream helper adds to an item, which the API refuses. */
function asInput(output: readonly OpenAI.Responses.ResponseOutputItem[]): OpenAI.Responses.ResponseInput {
  return JSON.parse(JSON.stringify(output), (key, value) => (key.startsWith("parsed") ? undefined : value));
}

type ChatMessage = OpenAI.ChatCompletionMessageParam;

async function chat({ url, key, model, stream }: Target): Promise<string> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  const messages: ChatMessage[] = [
    { role: "system", content: "Be brief." },
    { role: "system", content: "Be kind." },
    { role: "user", content: "Go." },
  ];
  for (;;) {
    const body = {
      model,
      reasoning_effort: "high" as const,
      tools: [
        { type: "function" as const, function: { name: "lookup", description, parameters, strict: true } },
      ],
      messages,
    };
    const message = stream
      ? await joined(await client.chat.completions.create({ ...body, stream: true }))
      : firstOf(await client.chat.completions.create(body));
    messages.push(message);
    if (message.tool_calls === undefined) return String(message.content);
    for (const { id } of message.tool_calls) {
      messages.push({ role: "tool", tool_call_id: id, content: `found ${id}` });
    }
  }
}

type ChatAnswer = OpenAI.ChatCompletionAssistantMessageParam;

function firstOf({ choices }: OpenAI.ChatCompletion): ChatAnswer {
  const [choice] = choices;
  if (choice === undefined) throw new Error("there is no choice");
  return choice.message;
}

/** The client's helper knows nothing of the fields of other servers, so that their users join chunks themselves. */
async function joined(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<ChatAnswer> {
  const message: ChatAnswer & Record<string, unknown> = { role: "assistant", content: null };
  for await (const chunk of chunks) {
    const { role: _, tool_calls, ...delta } = chunk.choices[0]?.delta ?? {};
    for (const [field, value] of Object.entries(delta)) {
      if (typeof value === "string") message[field] = `${message[field] ?? ""}${value}`;
      else if (value !== null) message[field] = value;
    }
    if (tool_calls !== undefined) message.tool_calls = tool_calls.map(wholeCall);
  }
  return message;
}

/** This server sends a call in one piece. */
function wholeCall({ id = "", function: fn }: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall) {
  const { name = "", arguments: args = "" } = fn ?? {};
  return { id, type: "function" as const, function: { name, arguments: args } };
}

async function google({ url, key, model, stream }: Target): Promise<string> {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
  const history: Content[] = [];
  const chat = client.chats.create({
    model,
    history,
    config: {
      systemInstruction: "Be brief.",
      thinkingConfig: { includeThoughts: true, thinkingLevel: ThinkingLevel.HIGH },
      tools: [{ functionDeclarations: [{ name: "lookup", description, parametersJsonSchema: parameters }] }],
    },
  });
  let message: string | Part[] = "Go.";
  for (;;) {
    const answers: GenerateContentResponse[] = stream
      ? await collected(await chat.sendMessageStream({ message }))
      : [await chat.sendMessage({ message })];
    const calls = answers.flatMap(({ functionCalls = [] }) => functionCalls);
    if (calls.length === 0) {
      const parts = answers.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
      return parts.flatMap(({ text, thought }) => (thought === true ? [] : [text ?? ""])).join("");
    }
    message = calls.map(({ name = "", args }) => ({
      functionResponse: { name, response: { output: `found ${JSON.stringify(args)}` } },
    }));
  }
}

async function ollama({ url, key, model, stream }: Target): Promise<string> {
  const client = new Ollama({ host: url, headers: { authorization: `Bearer ${key}` } });
  const messages: Message[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Go." },
  ];
  const tools = [{ type: "function", function: { name: "lookup", description, parameters } }];
  for (;;) {
    const parts = stream
      ? await collected(await client.chat({ model, messages, tools, think: true, stream: true }))
      : [await client.chat({ model, messages, tools, think: true })];
    const calls = parts.flatMap(({ message }) => message.tool_calls ?? []);
    const content = parts.map(({ message }) => message.content).join("");
    const thinking = parts.map(({ message }) => message.thinking ?? "").join("");
    messages.push({
      role: "assistant",
      content,
      thinking,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    });
    if (calls.length === 0) return content;
    for (const call of calls) {
      messages.push({ role: "tool", tool_name: call.function.name, content: "found it" });
    }
  }
}

async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

export const toolLoops: Record<ServedApi, ToolLoop> = {
  anthropic,
  "openai-responses": responses,
  "openai-chat": chat,
  google,
  ollama,
};
