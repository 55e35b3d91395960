import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Type } from "@sinclair/typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentModel, run, type Tool } from "../../src/agent/index.js";
import { type AgentEvent, type AgentMessage, type AssistantMessage, events } from "../../src/core/index.js";
import type { Api } from "../../src/core/provider.js";
import { formatSse } from "../../src/framing/sse-format.js";
import { loadApi } from "../../src/providers/apis.js";
import { connect } from "../../src/providers/connect.js";
import type { ApiName } from "../../src/providers/endpoints.js";
import { transcriptProblems } from "../fakes/agent-outline.js";
import { validateRequest as anthropic } from "../fakes/anthropic.js";
import { validateRequest as google } from "../fakes/google.js";
import { validateRequest as ollama } from "../fakes/ollama.js";
import { validateRequest as openaiChat } from "../fakes/openai-chat.js";
import { validateRequest as openaiResponses } from "../fakes/openai-responses.js";
import { answer, says } from "../fakes/scripted-model.js";

/** A model behind each API, and the fake that refuses what the API refuses. */
const providers: Record<ApiName, { model: string; refusal(body: unknown): string | undefined }> = {
  anthropic: { model: "claude-opus-4-6", refusal: anthropic },
  "openai-chat": { model: "gpt-5.5", refusal: openaiChat },
  "openai-responses": { model: "gpt-5.5", refusal: openaiResponses },
  google: { model: "gemini-2.5-flash", refusal: (body) => google(body, "gemini-2.5-flash") },
  ollama: { model: "qwen3:8b", refusal: ollama },
};

let server: Server;
let baseUrl: string;
let respond: (body: unknown, response: ServerResponse) => void;

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

beforeAll(async () => {
  server = createServer(async (request, response) => respond(await bodyOf(request), response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** How a provider would send an answer. */
function wireOf(api: Api, message: AssistantMessage): { text: string; type: string } {
  const writer = api.streamWriter();
  const payloads = [...events(message, (text) => text.match(/.{1,9}/gsu) ?? [])].flatMap((event) =>
    writer.push(event),
  );
  const lines = payloads.map(({ event, data }) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    if (api.framing === "ndjson") return `${text}\n`;
    return formatSse({ data: text, ...(event === undefined ? {} : { event }) });
  });
  return { text: lines.join(""), type: api.framing === "sse" ? "text/event-stream" : "application/x-ndjson" };
}

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

/** Plays a script to whoever asks, and notes what it refuses. */
async function serve(name: ApiName, answers: readonly AssistantMessage[]): Promise<{ refused: string[] }> {
  const api = await loadApi(name);
  const refused: string[] = [];
  let turn = 0;
  respond = (body, response) => {
    const refusal = providers[name].refusal(body);
    const next = answers[turn++];
    if (refusal !== undefined || next === undefined) {
      refused.push(refusal ?? "asked too often");
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: refusal } }));
      return;
    }
    const { text, type } = wireOf(api, next);
    response.writeHead(200, { "content-type": type });
    response.end(text);
  };
  return { refused };
}

async function runOnce(model: AgentModel, prompt: string, history: AgentMessage[], stop?: number) {
  const controller = new AbortController();
  const list: AgentEvent[] = [];
  const options = { model, tools: [look], history, signal: controller.signal, systemPrompt: "Be brief." };
  for await (const event of run([user(prompt)], options)) if (list.push(event) === stop) controller.abort();
  const last = list.at(-1);
  return { list, messages: last?.type === "agent_end" ? last.messages : [] };
}

describe.each(Object.keys(providers) as ApiName[])("%s", (name) => {
  const model = () =>
    connect(`local/${providers[name].model}`, { api: name, baseUrl, apiKey: "k", maxRetries: 0 });

  test("aborted at any event, the conversation goes on", async () => {
    const whole = await serve(name, script);
    const { list } = await runOnce(model(), "Look.", []);
    expect(whole.refused).toEqual([]);
    expect(list.length).toBeGreaterThan(40);
    const seen = { half: 0, aborted: 0 };
    for (let stop = 1; stop <= list.length; stop++) {
      await serve(name, script);
      const { messages } = await runOnce(model(), "Look.", [], stop);
      expect(transcriptProblems(messages)).toEqual([]);
      if (messages.some((message) => message.role === "assistant" && message.stopReason === "aborted"))
        seen.half++;
      if (messages.some((message) => message.role === "toolResult" && message.isError)) seen.aborted++;

      const after = await serve(name, [welcome]);
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
