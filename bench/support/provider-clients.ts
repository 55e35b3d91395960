import type { AssistantMessage } from "dragoman";
import type { StreamedApi } from "./provider-streams.js";

/** Sends a request to the server at a base URL, reads the whole answer and returns the length of its text. */
export type Client = (baseUrl: string) => Promise<number>;

/** Creates the client, so that a process loads only the code of the client that it measures. */
export type ClientOf = (api: StreamedApi) => Promise<Client>;

const API_KEY = "none";
const MODEL = "claude-opus-4-6";
const QUESTION = "Please write the file.";
const DESCRIPTION = "Writes a file.";
const PARAMETERS = {
  type: "object" as const,
  properties: {
    path: { type: "string" as const },
    line: { type: "number" as const },
    overwrite: { type: "boolean" as const },
    text: { type: "string" as const },
  },
  required: ["path", "text"],
};
const CONTEXT = {
  messages: [{ role: "user" as const, content: QUESTION, timestamp: 0 }],
  tools: [{ name: "write", description: DESCRIPTION, parameters: PARAMETERS }],
};

interface AnthropicEvent {
  delta?: { text?: string; partial_json?: string };
}

interface ChatChunk {
  choices: { delta: { content?: string | null; tool_calls?: { function: { arguments: string } }[] } }[];
}

const wires = {
  anthropic: {
    path: "/v1/messages",
    headers: { "x-api-key": API_KEY, "anthropic-version": "2023-06-01" },
    textOf: ({ delta }: AnthropicEvent) => delta?.text,
    jsonOf: ({ delta }: AnthropicEvent) => delta?.partial_json,
  },
  "openai-chat": {
    path: "/chat/completions",
    headers: { authorization: `Bearer ${API_KEY}` },
    textOf: ({ choices: [choice] }: ChatChunk) => choice?.delta.content,
    jsonOf: ({ choices: [choice] }: ChatChunk) => choice?.delta.tool_calls?.[0]?.function.arguments,
  },
};

/** The smallest program that reads such an answer. */
export const floor: ClientOf = async (api) => {
  const { path, headers, textOf, jsonOf } = wires[api];
  const messages = [{ role: "user", content: QUESTION }];
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: MODEL, stream: true, messages, tools: CONTEXT.tools }),
  };
  return async (baseUrl) => {
    const { body } = await fetch(`${baseUrl}${path}`, request);
    if (body === null) throw new Error("the answer has no body");
    const decoder = new TextDecoder();
    let rest = "";
    let text = "";
    let json = "";
    for await (const chunk of body) {
      const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = event.slice(event.indexOf("data: ") + 6);
        if (data === "[DONE]") continue;
        const parsed = JSON.parse(data);
        text += textOf(parsed) ?? "";
        json += jsonOf(parsed) ?? "";
      }
    }
    return json === "" ? text.length : lengthOfText(JSON.parse(json));
  };
};

export const unseen: ClientOf = async (api) => {
  const ask = await dragoman(api);
  return async (baseUrl) => {
    let length = 0;
    for await (const event of ask(baseUrl)) if (event.type === "done") length = lengthOf(event.message);
    return length;
  };
};

/** Reads the partial message at every event. */
export const seen: ClientOf = async (api) => {
  const ask = await dragoman(api);
  return async (baseUrl) => {
    let longest = 0;
    for await (const event of ask(baseUrl)) {
      if ("partial" in event) longest = Math.max(longest, lengthOf(event.partial));
    }
    return longest;
  };
};

async function dragoman(api: StreamedApi) {
  const { connect } = await import("dragoman/providers");
  const name = api === "anthropic" ? `anthropic/${MODEL}` : `local/${MODEL}`;
  return (baseUrl: string) => connect(name, { api, apiKey: API_KEY, baseUrl }).stream(CONTEXT);
}

function lengthOf({ content: [block] }: Pick<AssistantMessage, "content">): number {
  if (block?.type === "text") return block.text.length;
  return block?.type === "toolCall" ? lengthOfText(block.arguments) : 0;
}

function lengthOfText(value: unknown): number {
  if (typeof value !== "object" || value === null || !("text" in value)) return 0;
  return typeof value.text === "string" ? value.text.length : 0;
}

export const piAi: ClientOf = async (api) => {
  const { stream } = await import("@mariozechner/pi-ai");
  return async (baseUrl) => {
    const model = {
      id: MODEL,
      name: MODEL,
      api: api === "anthropic" ? "anthropic-messages" : "openai-completions",
      provider: api === "anthropic" ? "anthropic" : "local",
      baseUrl,
      reasoning: false,
      input: ["text" as const],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 200_000,
      maxTokens: 32_000,
    };
    let length = 0;
    for await (const event of stream(model, CONTEXT, { apiKey: API_KEY })) {
      if (event.type === "done") length = lengthOf(event.message);
      if (event.type === "error") throw new Error(event.error.errorMessage);
    }
    return length;
  };
};

export const aiSdk: ClientOf = async (api) => {
  const { jsonSchema, streamText } = await import("ai");
  const modelAt = await aiSdkModel(api);
  const tools = { write: { description: DESCRIPTION, inputSchema: jsonSchema(PARAMETERS) } };
  return async (baseUrl) => {
    let length = 0;
    for await (const part of streamText({ model: modelAt(baseUrl), prompt: QUESTION, tools }).fullStream) {
      if (part.type === "text-delta") length += part.text.length;
      if (part.type === "tool-call") length = lengthOfText(part.input);
      if (part.type === "error") throw part.error;
    }
    return length;
  };
};

async function aiSdkModel(api: StreamedApi) {
  if (api === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return (baseUrl: string) => createAnthropic({ apiKey: API_KEY, baseURL: `${baseUrl}/v1` })(MODEL);
  }
  const { createOpenAI } = await import("@ai-sdk/openai");
  return (baseUrl: string) => createOpenAI({ apiKey: API_KEY, baseURL: baseUrl }).chat(MODEL);
}
