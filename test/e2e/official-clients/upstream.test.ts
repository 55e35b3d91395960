import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import { events } from "../../../src/core/stream/events.js";
import type { AssistantMessage } from "../../../src/core/types.js";
import { openaiChatApi } from "../../../src/dialects/openai-chat/index.js";
import { fakeOpenAiChat } from "../../fakes/openai-chat.js";
import { says } from "../../fakes/scripted-model.js";
import { gatewayForEachTest, PIXEL } from "./gateway.js";

const gateway = gatewayForEachTest();
let upstream: Awaited<ReturnType<typeof fakeOpenAiChat>> | undefined;

afterEach(async () => {
  await upstream?.close();
  upstream = undefined;
});

/** A gateway whose provider `acme` is a server that answers in Chat Completions. */
async function withProvider(answer: AssistantMessage = says("Yes.")): Promise<OpenAI> {
  const writer = openaiChatApi.streamWriter();
  const payloads = [...events(answer)].flatMap((event) => writer.push(event));
  upstream = await fakeOpenAiChat(() => ({ payloads }));
  await gateway().restart({
    providers: { acme: { baseUrl: upstream.baseUrl, apiKey: "k" } },
    models: { "acme/m": {} },
  });
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
}

describe("a model that is spoken to in the client's own API", () => {
  test("is told all that the client says", async () => {
    const client = await withProvider();
    const { data, response } = await client.chat.completions
      .create({
        model: "acme/m",
        messages: [
          { role: "developer", content: "Be brief." },
          {
            role: "user",
            content: [
              { type: "text", text: "Look. Write JSON." },
              { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}`, detail: "low" } },
            ],
          },
        ],
        top_p: 0.5,
        seed: 7,
        stream: false,
        response_format: { type: "json_object" },
      })
      .withResponse();
    expect(data.choices[0]?.message.content).toBe("Yes.");
    expect(response.headers.get("x-dragoman-losses")).toBeNull();
    expect(upstream?.requests).toEqual([
      {
        model: "m",
        messages: [
          { role: "developer", content: "Be brief." },
          {
            role: "user",
            content: [
              { type: "text", text: "Look. Write JSON." },
              { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}`, detail: "low" } },
            ],
          },
        ],
        top_p: 0.5,
        seed: 7,
        response_format: { type: "json_object" },
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
  });

  test("costs what its provider says", async () => {
    const usage = { ...says("").usage, input: 10, output: 4, cacheRead: 30, totalTokens: 44 };
    const client = await withProvider({ ...says("Yes."), usage });
    const { usage: told } = await client.chat.completions.create({
      model: "acme/m",
      messages: [{ role: "user", content: "x" }],
    });
    expect(told).toEqual({
      prompt_tokens: 40,
      completion_tokens: 4,
      total_tokens: 44,
      prompt_tokens_details: { cached_tokens: 30 },
    });
  });
});

describe("a model that is spoken to in another API", () => {
  test("is told what it can be told, and the client what it was not", async () => {
    await withProvider();
    const client = new Anthropic({ baseURL: gateway().url, apiKey: gateway().chat, maxRetries: 0 });
    const { data, response } = await client.messages
      .create({
        model: "acme/m",
        max_tokens: 50,
        stop_sequences: ["."],
        inference_geo: "us",
        system: "Be brief.",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "Look. Write JSON." },
              { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
            ],
          },
        ],
      })
      .withResponse();
    expect(data).toMatchObject({ model: "acme/m", content: [{ type: "text", text: "Yes." }] });
    expect(upstream?.requests).toMatchObject([
      {
        model: "m",
        max_completion_tokens: 50,
        stop: ["."],
        messages: [
          { content: "Be brief." },
          {
            role: "user",
            content: [
              { type: "text", text: "Look. Write JSON." },
              { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
            ],
          },
        ],
      },
    ]);
    expect(JSON.parse(response.headers.get("x-dragoman-losses") ?? "")).toEqual([
      {
        at: "/inference_geo",
        what: "inference_geo",
        why: "it is not translated from anthropic to other APIs",
        severity: "dropped",
      },
    ]);
  });

  test.each([
    ["/v1/messages", { max_tokens: 9, thinking: { type: "adaptive", display: "summarized" } }, []],
    [
      "/v1/messages",
      { max_tokens: 9, thinking: { type: "adaptive", display: "omitted" } },
      ["/thinking/display"],
    ],
    ["/v1/responses", { include: ["reasoning.encrypted_content"], reasoning: { summary: "auto" } }, []],
    ["/v1/responses", { include: ["file_search_call.results"] }, ["/include"]],
    [
      "/v1beta/models/acme/m:generateContent",
      { generationConfig: { thinkingConfig: { includeThoughts: true } } },
      [],
    ],
  ])("does not lose what every answer has: %s %j", async (path, fields, lost) => {
    await withProvider();
    const message = { role: "user", content: "x" };
    const input = {
      messages: [message],
      input: [message],
      contents: [{ role: "user", parts: [{ text: "x" }] }],
    };
    const list = path.endsWith("messages") ? "messages" : path.endsWith("responses") ? "input" : "contents";
    const response = await fetch(`${gateway().url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway().chat}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "acme/m", [list]: input[list], ...fields }),
    });
    expect(response.status).toBe(200);
    const losses: { at: string }[] = JSON.parse(response.headers.get("x-dragoman-losses") ?? "[]");
    expect(losses.map(({ at }) => at)).toEqual(lost);
  });

  test("loses loudly what it cannot be shown of a history", async () => {
    const client = await withProvider();
    const { response } = await client.responses
      .create({
        model: "acme/m",
        input: [
          { role: "user", content: "x" },
          { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
          { role: "assistant", content: "y" },
          { role: "user", content: "z — ü" },
        ],
      })
      .withResponse();
    const losses: { at: string; severity: string }[] = JSON.parse(
      response.headers.get("x-dragoman-losses") ?? "",
    );
    expect(losses).toContainEqual(expect.objectContaining({ at: "/input/1", severity: "dropped" }));
  });
});

test("a provider's refusal is told, its view of our key is not", async () => {
  const client = await withProvider();
  await expect(
    client.chat.completions.create({
      model: "acme/m",
      messages: [{ role: "user", content: "Hi" }],
      temperature: 99,
    }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("HTTP 400: Invalid 'temperature'"),
  });
});
