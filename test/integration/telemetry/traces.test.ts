import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { modelProtocols } from "../../../src/gateway/models/protocols.js";
import { openTelemetry } from "../../../src/runtime/open-telemetry.js";
import { Runtime } from "../../../src/runtime/runtime.js";
import type { Config } from "../../../src/runtime/schema.js";
import { sentBy } from "../../../src/runtime/sent-mark.js";
import type { Telemetry } from "../../../src/telemetry/telemetry.js";
import { testGateway } from "../../fakes/gateway.js";
import { FakeMcpHttp } from "../../fakes/mcp/fake-http-server.js";
import { OtlpCollector } from "../../fakes/otlp-collector.js";
import { event, user } from "../../fakes/watching.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

async function telemetryTo(collector: OtlpCollector, env: Record<string, string> = {}): Promise<Telemetry> {
  const all: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env };
  const notes: string[] = [];
  const telemetry = await openTelemetry((note) => notes.push(note), { env: (name) => all[name] });
  if (telemetry === undefined) throw new Error("telemetry is off");
  onTestFinished(() => expect(notes).toEqual([]));
  return telemetry;
}

interface Ask {
  config?: Config;
  env?: Record<string, string>;
  trace?: { traceparent: string; tracestate?: string };
}

/** Runs the script, ends the runtime, and returns what the collector got. */
async function traced(script: string, { config = {}, env, trace }: Ask = {}): Promise<OtlpCollector> {
  const collector = await new OtlpCollector().start();
  const telemetry = await telemetryTo(collector, env);
  const runtime = new Runtime({
    home: temporaryFolder(),
    config: { model: "demo/script", ...config },
    telemetry,
  });
  const conversation = await runtime.begin({});
  await conversation.send(sentBy("t1", user(script), trace));
  await conversation.idle();
  await runtime.close();
  expect(collector.refused).toEqual([]);
  return collector;
}

const ALLOW: Config = { agents: { main: { permissions: [{ tool: "*", action: "allow" }] } } };
const CALL = 'call: exec {"command":"true"}\n---\nsay: All done';

test("a run is a tree of spans: the agent, its calls of the model, its tools", async () => {
  const collector = await traced(CALL, { config: ALLOW });
  const run = collector.span("invoke_agent main");
  const chats = collector.spans.filter(({ name }) => name === "chat script");
  const tool = collector.span("execute_tool exec");
  expect(collector.spans).toHaveLength(4);
  expect(run.parentSpanId).toBeUndefined();
  expect(run.kind).toBe(1);
  expect(chats.map(({ kind, parentSpanId }) => ({ kind, parentSpanId }))).toEqual([
    { kind: 3, parentSpanId: run.spanId },
    { kind: 3, parentSpanId: run.spanId },
  ]);
  expect({ kind: tool.kind, parent: tool.parentSpanId }).toEqual({ kind: 1, parent: run.spanId });
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([run.traceId]));
  for (const { start, end } of [...chats, tool]) {
    expect(start >= run.start && end <= run.end).toBe(true);
  }
  const { "gen_ai.conversation.id": session, "dragoman.run.id": runId, ...others } = run.attributes;
  expect(session).toMatch(/^[0-9A-Z]{26}$/);
  expect(runId).toMatch(/^[0-9A-Z]{26}$/);
  const usages = chats.map(({ attributes }) => Number(attributes["gen_ai.usage.input_tokens"]));
  expect(others).toEqual({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "demo",
    "gen_ai.request.model": "script",
    "gen_ai.agent.name": "main",
    "gen_ai.usage.input_tokens": usages.reduce((sum, one) => sum + one, 0),
    "gen_ai.usage.output_tokens": expect.any(Number),
  });
  expect(chats[0]?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "demo",
    "gen_ai.request.model": "script",
    "gen_ai.request.stream": true,
    "gen_ai.response.finish_reasons": ["tool_call"],
    "gen_ai.response.time_to_first_chunk": expect.any(Number),
    "gen_ai.agent.name": "main",
    "gen_ai.conversation.id": session,
  });
  expect(tool.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "exec",
    "gen_ai.tool.call.id": "call_1_0",
    "gen_ai.tool.type": "function",
  });
});

test("without a wish for content no text of the conversation is exported", async () => {
  const collector = await traced(
    'say: apricot\ncall: write {"file_path":"a.txt","content":"plum"}\n---\nsay: quince',
    {
      config: ALLOW,
    },
  );
  const sent = collector.requests.map(({ body }) => body).join("");
  for (const word of ["apricot", "plum", "quince", "a.txt"]) expect(sent).not.toContain(word);
});

test("a run continues the trace of the message that began it", async () => {
  const trace = {
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    tracestate: "congo=t61rcWkgMzE",
  };
  const run = (await traced("say: Hi", { trace })).span("invoke_agent main");
  expect(run).toMatchObject({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    parentSpanId: "b7ad6b7169203331",
    traceState: "congo=t61rcWkgMzE",
  });
});

test("a trace that its beginner does not record is not exported, and its metrics are", async () => {
  const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00" };
  const collector = await traced("say: Hi", { trace });
  expect(collector.spans).toEqual([]);
  expect(collector.metrics.map(({ name }) => name).sort()).toEqual([
    "gen_ai.client.operation.duration",
    "gen_ai.client.token.usage",
  ]);
});

test("a failed call has the code of its failure, and its tool failed as a tool", async () => {
  const collector = await traced('call: read {"file_path":"none"}\n---\nfail: 401', { config: ALLOW });
  expect(collector.span("execute_tool read")).toMatchObject({
    isError: true,
    attributes: { "error.type": "tool_error" },
  });
  const failed = collector.spans.find(({ name, isError }) => name === "chat script" && isError);
  expect(failed?.attributes).toMatchObject({ "error.type": "provider/http" });
  expect(collector.span("invoke_agent main")).toMatchObject({
    isError: true,
    attributes: { "error.type": "provider/http" },
  });
});

test("the time that a person takes to answer is an event of the run, not of the tool", async () => {
  const collector = await new OtlpCollector().start();
  const runtime = new Runtime({
    home: temporaryFolder(),
    config: { model: "demo/script" },
    telemetry: await telemetryTo(collector),
    waitsForAnswers: true,
  });
  const conversation = await runtime.begin({});
  const asked = event(conversation, ({ type }) => type === "permission");
  await conversation.send(user('call: write {"file_path":"a.txt","content":"x"}\n---\nsay: ok'));
  const request = await asked;
  if (request.type !== "permission") throw new Error("expected a request");
  const { id } = request.request;
  await conversation.permissions.answer(id, "once");
  await conversation.idle();
  await runtime.close();
  const run = collector.span("invoke_agent main");
  expect(run.events).toEqual([
    {
      name: "dragoman.permission.requested",
      attributes: {
        "dragoman.permission.id": id,
        "gen_ai.tool.name": "write",
        "gen_ai.tool.call.id": "call_1_0",
      },
    },
    {
      name: "dragoman.permission.ended",
      attributes: { "dragoman.permission.id": id, "dragoman.permission.answer": "once" },
    },
  ]);
  expect(collector.span("execute_tool write").isError).toBe(false);
});

test("a sub-agent's run is below the call that started it", async () => {
  const collector = await traced('call: agent {"agent":"scout","prompt":"say: found"}\n---\nsay: ok', {
    config: {
      agents: {
        main: { agents: ["scout"], permissions: [{ tool: "*", action: "allow" }] },
        scout: { description: "Finds things." },
      },
    },
  });
  const call = collector.span("execute_tool agent");
  const inner = collector.span("invoke_agent scout");
  expect(inner).toMatchObject({ parentSpanId: call.spanId, traceId: call.traceId });
});

test("an MCP server gets the place of its call in the trace", async () => {
  const seen: unknown[] = [];
  const http = new FakeMcpHttp({
    versions: ["2026-07-28"],
    tools: {
      search: {
        run: ({ meta }) => {
          seen.push({ ...meta });
          return { content: [{ type: "text", text: "found" }] };
        },
      },
    },
  });
  const url = await http.listen();
  onTestFinished(() => http.close());
  const trace = {
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    tracestate: "congo=t61rcWkgMzE",
  };
  const collector = await traced('call: docs__search {"q":"x"}\n---\nsay: ok', {
    config: { ...ALLOW, mcpServers: { docs: { url } } },
    trace,
  });
  const call = collector.span("execute_tool docs__search");
  expect(call.attributes).toMatchObject({ "gen_ai.tool.type": "extension", "mcp.method.name": "tools/call" });
  expect(seen).toEqual([
    expect.objectContaining({
      traceparent: `00-0af7651916cd43dd8448eb211c80319c-${call.spanId}-01`,
      tracestate: "congo=t61rcWkgMzE",
    }),
  ]);
});

/** A provider that notes the headers of each request. */
async function provider(): Promise<{ url: string; headers: Record<string, unknown>[] }> {
  const headers: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 7,
      total_tokens: 107,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "reed-2-0613", ...more })}\n\n`;
    response.write(chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "Hello" } }] }));
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
    response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, headers };
}

test("a client's trace continues through the gateway to the provider, with cached tokens in the input", async () => {
  const collector = await new OtlpCollector().start();
  const { url, headers } = await provider();
  const gateway = await testGateway([modelProtocols], {
    config: { providers: { reed: { baseUrl: url, api: "openai-chat", apiKey: "sk-secret-reed" } } },
    telemetry: await telemetryTo(collector, {
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    }),
  });
  const client = new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: gateway.admin,
    defaultHeaders: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  });
  const stream = await client.chat.completions.create({
    model: "reed/reed-2",
    temperature: 1,
    messages: [{ role: "user", content: "Hi" }],
    stream: true,
  });
  let text = "";
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
  expect(text).toBe("Hello");
  await gateway.stop();
  const call = collector.span("chat reed-2");
  expect(call).toMatchObject({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    parentSpanId: "b7ad6b7169203331",
  });
  expect(headers).toEqual([
    expect.objectContaining({ traceparent: `00-0af7651916cd43dd8448eb211c80319c-${call.spanId}-01` }),
  ]);
  expect(call.attributes).toMatchObject({
    "gen_ai.request.model": "reed-2",
    "gen_ai.request.temperature": 1,
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.cache_read.input_tokens": 60,
    "gen_ai.usage.output_tokens": 7,
    "gen_ai.usage.reasoning.output_tokens": 3,
    "server.address": "127.0.0.1",
    "server.port": Number(new URL(url).port),
    "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
    "gen_ai.output.messages":
      '[{"role":"assistant","parts":[{"type":"text","content":"Hello"}],"finish_reason":"stop"}]',
  });
  expect(collector.refused).toEqual([]);
  expect(collector.requests.map(({ body }) => body).join("")).not.toContain("sk-secret-reed");
});

test("an agent called in a provider's API continues the client's trace", async () => {
  const collector = await new OtlpCollector().start();
  const gateway = await testGateway([modelProtocols], { telemetry: await telemetryTo(collector) });
  const response = await gateway.fetch("/v1/chat/completions", {
    method: "POST",
    body: JSON.stringify({ model: "agent/main", messages: [{ role: "user", content: "Hi" }] }),
    headers: {
      "content-type": "application/json",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    },
  });
  expect(response.status).toBe(200);
  await response.text();
  await gateway.stop();
  const run = collector.span("invoke_agent main");
  expect(run.parentSpanId).toBe("b7ad6b7169203331");
  expect(collector.span("chat echo").parentSpanId).toBe(run.spanId);
});
