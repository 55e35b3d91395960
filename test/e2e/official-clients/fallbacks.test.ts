import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { Behaviour } from "../../fakes/failing-provider.js";
import type { ServedApi } from "../../fakes/strict/provider.js";
import { modelList } from "./fallback-list.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
const withList = modelList(gateway);
const apis: ServedApi[] = ["anthropic", "openai-chat", "openai-responses", "google", "ollama"];

/** The API of the second model, which is another one. */
const other: Record<ServedApi, ServedApi> = {
  anthropic: "openai-responses",
  "openai-chat": "anthropic",
  "openai-responses": "google",
  google: "ollama",
  ollama: "openai-chat",
};

interface Target {
  model: string;
  stream: boolean;
}

/** The text that the official client of an API gets, whole or streamed. */
const clients: Record<ServedApi, (target: Target) => Promise<string>> = {
  async anthropic({ model, stream }) {
    const client = new Anthropic({ baseURL: gateway().url, apiKey: gateway().chat, maxRetries: 0 });
    const body = { model, max_tokens: 1000, messages: [{ role: "user" as const, content: "Hi" }] };
    const { content } = stream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body);
    return content.map((block) => (block.type === "text" ? block.text : "")).join("");
  },
  async "openai-chat"({ model, stream }) {
    const client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
    const body = { model, messages: [{ role: "user" as const, content: "Hi" }] };
    const { choices } = stream
      ? await client.chat.completions.stream(body).finalChatCompletion()
      : await client.chat.completions.create(body);
    return String(choices[0]?.message.content);
  },
  async "openai-responses"({ model, stream }) {
    const client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
    const body = { model, input: "Hi", store: false };
    const response = stream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);
    if (response.status !== "completed") throw new Error(response.error?.message);
    return response.output_text;
  },
  async google({ model, stream }) {
    const client = new GoogleGenAI({ apiKey: gateway().chat, httpOptions: { baseUrl: gateway().url } });
    const body = { model, contents: "Hi" };
    if (!stream) return String((await client.models.generateContent(body)).text);
    let text = "";
    for await (const chunk of await client.models.generateContentStream(body)) text += chunk.text ?? "";
    return text;
  },
  async ollama({ model, stream }) {
    const headers = { authorization: `Bearer ${gateway().chat}` };
    const client = new Ollama({ host: gateway().url, headers });
    const body = { model, messages: [{ role: "user", content: "Hi" }] };
    if (!stream) return (await client.chat({ ...body, stream: false })).message.content;
    let text = "";
    for await (const chunk of await client.chat({ ...body, stream: true })) text += chunk.message.content;
    return text;
  },
};

const failures: [string, Behaviour][] = [
  ["an overload", { error: "overload" }],
  ["a rate limit", { error: "rateLimit" }],
  ["a prompt that is too long", { error: "context" }],
  ["an internal error", { error: "failure" }],
  ["an error in the stream", { streamError: "Overloaded" }],
  ["a refused connection", { cut: "at once" }],
  ["a connection cut after the start", { cut: "after the start" }],
];

describe.each(apis)("%s", (api) => {
  describe.each([false, true])("streamed: %s", (stream) => {
    test.each(failures)("%s of a forwarded request moves to a model of another API", async (_, failure) => {
      const [one, two] = await withList([api, failure], [other[api], { text: "From two." }]);
      expect(await clients[api]({ model: "smart", stream })).toBe("From two.");
      expect({ one: one.asked, two: two.asked }).toEqual({ one: 1, two: 1 });
      expect([...one.refused, ...two.refused]).toEqual([]);
    });

    test("an overload of a translated request moves to a model of the client's own API", async () => {
      const [one, two] = await withList([other[api], { error: "overload" }], [api, { text: "From two." }]);
      expect(await clients[api]({ model: "smart", stream })).toBe("From two.");
      expect({ one: one.asked, two: two.asked }).toEqual({ one: 1, two: 1 });
    });

    test.each<[string, ServedApi]>([
      ["forwarded", api],
      ["translated", other[api]],
    ])("a %s answer that breaks off is an error, and no other model is asked", async (_, first) => {
      const [one, two] = await withList([first, { cut: "in the text" }], [api, { text: "From two." }]);
      await expect(clients[api]({ model: "smart", stream })).rejects.toThrow();
      expect({ one: one.asked, two: two.asked }).toEqual({ one: 1, two: 0 });
    });

    test("if both fail, the client gets the last failure", async () => {
      const [one, two] = await withList([api, { error: "overload" }], [other[api], { error: "rateLimit" }]);
      await expect(clients[api]({ model: "smart", stream })).rejects.toThrow(
        /failed before: one\/.+ \(overload\)/,
      );
      expect({ one: one.asked, two: two.asked }).toEqual({ one: 1, two: 1 });
    });
  });
});
