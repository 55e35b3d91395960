import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { ApiName } from "../../../src/dialects/registry.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();
const KEY = "sk-the-providers-own-key";
let stop: (() => void) | undefined;

afterEach(() => stop?.());

interface Upstream {
  headers: IncomingHttpHeaders[];
  bodies: string[];
}

/** A gateway with one provider that answers as told. */
async function upstream(
  api: ApiName,
  answer: (response: ServerResponse) => void,
  more: { headers?: Record<string, string>; flags?: { streamOptions?: boolean } } = {},
): Promise<Upstream> {
  const seen: Upstream = { headers: [], bodies: [] };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    seen.headers.push(request.headers);
    seen.bodies.push(body);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const acme = { baseUrl, apiKey: KEY, api, maxRetries: 0, ...more };
  await gateway().restart({ providers: { acme }, models: { "acme/m": {} } });
  return seen;
}

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${gateway().chat}`;
  return fetch(`${gateway().url}${path}`, { method: "POST", headers: { authorization, ...headers }, body });
}

const sse =
  (...events: string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => `${event}\n\n`).join(""));
  };

const chunk = (delta: string, more = "") =>
  `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m-2026","choices":[{"index":0,"delta":${delta},"finish_reason":null}]${more}}`;
const finish =
  'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m-2026","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';

test("a body goes along as it came, key by key, but for the model and the stream", async () => {
  const { bodies } = await upstream("openai-chat", sse(chunk('{"content":"Yes."}'), finish, "data: [DONE]"));
  await post(
    "/v1/chat/completions",
    '{"zeta":{"b":1,"a":[2.5]},"model":"acme/m","messages":[{"content":"hi","role":"boss","name":"n"}],"top_p":null}',
  );
  expect(bodies).toEqual([
    '{"zeta":{"b":1,"a":[2.5]},"model":"m","messages":[{"content":"hi","role":"boss","name":"n"}],"top_p":null,"stream":true,"stream_options":{"include_usage":true}}',
  ]);
});

/** Entries that a thinking model, a server tool or a client's own tool leaves in a history, and later system messages. */
const histories: [ApiName, path: string, list: string, entries: object[], more: object][] = [
  [
    "anthropic",
    "/v1/messages",
    "messages",
    [
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "t", signature: "EqQB" },
          { type: "redacted_thinking", data: "x" },
          { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
          { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
          { type: "text", text: "c", citations: [{ type: "char_location", cited_text: "c" }] },
          { type: "compaction", content: "s" },
          { type: "tool_use", id: "toolu_1", name: "t", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "r" }] },
      { role: "system", content: "later" },
    ],
    { max_tokens: 9 },
  ],
  [
    "openai-responses",
    "/v1/responses",
    "input",
    [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "a" }] },
      { type: "message", role: "developer", content: [{ type: "input_text", text: "b" }] },
      {
        type: "additional_tools",
        role: "developer",
        tools: [{ type: "function", name: "f", parameters: {} }],
      },
      { role: "user", content: "x" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" },
      { type: "custom_tool_call", call_id: "c", name: "n", input: "i" },
      { type: "custom_tool_call_output", call_id: "c", output: "o" },
      { type: "local_shell_call", id: "l", call_id: "l", action: { type: "exec", command: [], env: {} } },
      { type: "local_shell_call_output", id: "l", output: "o" },
      { type: "web_search_call", id: "ws_1", status: "completed" },
      { type: "compaction", id: "cmp_1", encrypted_content: "z" },
      { type: "item_reference", id: "msg_1" },
      { type: "mcp_approval_response", approval_request_id: "a", approve: true },
    ],
    { store: false },
  ],
  [
    "google",
    "/v1beta/models/acme/m:generateContent",
    "contents",
    [
      { role: "user", parts: [{ text: "x" }] },
      {
        role: "model",
        parts: [
          { functionCall: { name: "f", args: {} }, thoughtSignature: "c2ln" },
          { executableCode: { language: "PYTHON", code: "1" } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
        ],
      },
      { role: "user", parts: [{ functionResponse: { name: "f", response: {} } }] },
    ],
    {},
  ],
  [
    "openai-chat",
    "/v1/chat/completions",
    "messages",
    [
      { role: "system", content: "a" },
      { role: "system", content: "b" },
      { role: "user", content: "x" },
      {
        role: "assistant",
        content: null,
        reasoning_content: "t",
        reasoning_details: [{ type: "reasoning.text", text: "t", signature: "s" }],
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: "r" },
      { role: "developer", content: "d" },
    ],
    {},
  ],
];

test.each(histories)("%s: the history goes along as it came", async (api, path, list, entries, more) => {
  const { bodies } = await upstream(api, (response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end('{"error":{"message":"seen"}}');
  });
  await post(path, JSON.stringify({ model: "acme/m", ...more, [list]: entries }));
  expect(bodies.map((body) => JSON.parse(body)[list])).toEqual([entries]);
});

test("a server that refuses to be asked for its usage is not", async () => {
  const { bodies } = await upstream("openai-chat", sse(chunk('{"content":"Yes."}'), finish, "data: [DONE]"), {
    flags: { streamOptions: false },
  });
  await post("/v1/chat/completions", '{"model":"acme/m","messages":[]}');
  expect(bodies).toEqual(['{"model":"m","messages":[],"stream":true}']);
});

test("headers of the request go along, those of the client do not", async () => {
  const message =
    '{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m-2026","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}';
  const { headers } = await upstream(
    "anthropic",
    sse(`event: message_start\ndata: ${message}`, 'event: message_stop\ndata: {"type":"message_stop"}'),
    { headers: { "Anthropic-Beta": "context-1m-2025-08-07", "x-team": "a" } },
  );
  await post("/v1/messages", '{"model":"acme/m","max_tokens":9,"messages":[]}', {
    "anthropic-beta": "effort-2025-11-24,context-1m-2025-08-07",
    "anthropic-version": "2023-01-01",
    "x-api-key": "of the client",
    cookie: "a=b",
    "x-forwarded-for": "10.0.0.1",
    "openai-beta": "not of this API",
    "user-agent": "client/1",
  });
  const [sent = {}] = headers;
  expect(sent).toMatchObject({
    "anthropic-beta": "context-1m-2025-08-07,effort-2025-11-24",
    "anthropic-version": "2023-01-01",
    "x-api-key": KEY,
    "x-team": "a",
  });
  for (const name of ["cookie", "authorization", "x-forwarded-for", "openai-beta"]) {
    expect(sent).not.toHaveProperty(name);
  }
  expect(sent["user-agent"]).not.toBe("client/1");
});

test("a stream is the provider's, under the client's name for the model, and without the usage that only we asked for", async () => {
  await upstream(
    "openai-chat",
    sse(
      ": comment",
      chunk('{"content":"Y","vendor":{"x":1}}', ',"usage":null'),
      'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m-2026","choices":[{"index":1,"delta":{"content":"N"},"finish_reason":null}],"usage":null}',
      finish,
      'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m-2026","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}',
      "data: [DONE]",
    ),
  );
  const answer = await post("/v1/chat/completions", '{"model":"acme/m","stream":true,"messages":[]}');
  expect(await answer.text()).toBe(
    [
      chunk('{"content":"Y","vendor":{"x":1}}').replace("m-2026", "acme/m"),
      'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"acme/m","choices":[{"index":1,"delta":{"content":"N"},"finish_reason":null}]}',
      finish.replace("m-2026", "acme/m"),
      "data: [DONE]",
      "",
    ].join("\n\n"),
  );
});

test("the name is replaced however a server writes it, and only the name", async () => {
  const piece = (model: string, content: string) =>
    `{"model"${model}, "choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}],"usage": null}`;
  const told = 'say "model":"m-2026" again';
  await upstream(
    "openai-chat",
    sse(
      `data: ${piece(':"m-2026"', "a")}`,
      `data: ${piece(':"m-2026"', told)}`,
      `data: ${piece(': "m-2026"', told)}`,
      `data: ${piece(':"m\\u002d2026"', told)}`,
      finish,
      "data: [DONE]",
    ),
  );
  const answer = await post("/v1/chat/completions", '{"model":"acme/m","stream":true,"messages":[]}');
  const chunks = (await answer.text()).split("\n\n").slice(0, 4);
  const parsed = chunks.map((text) => JSON.parse(text.replace(/^data: /, "")));
  expect(parsed.map(({ model, usage }) => [model, usage])).toEqual(Array(4).fill(["acme/m", undefined]));
  expect(parsed.map(({ choices }) => choices[0].delta.content)).toEqual(["a", told, told, told]);
});

test("events that mean nothing to us go along", async () => {
  const created = '{"type":"response.created","response":{"id":"r1","model":"m-2026","output":[]}}';
  const done =
    '{"type":"response.completed","response":{"id":"r1","model":"m-2026","status":"completed","output":[]}}';
  const odd = 'event: response.odd\ndata: {"type":"response.odd",  "n":1.0}';
  await upstream(
    "openai-responses",
    sse(`event: response.created\ndata: ${created}`, odd, `event: response.completed\ndata: ${done}`),
  );
  const answer = await post("/v1/responses", '{"model":"acme/m","stream":true,"input":"hi","store":false}');
  expect(await answer.text()).toBe(
    [
      `event: response.created\ndata: ${created.replace("m-2026", "acme/m")}`,
      odd,
      `event: response.completed\ndata: ${done.replace("m-2026", "acme/m")}`,
      "",
    ].join("\n\n"),
  );
});

test("an error in the middle is the API's own event, without our key", async () => {
  await upstream(
    "openai-chat",
    sse(chunk('{"content":"Y"}'), `data: {"error":{"message":"no luck with ${KEY}","code":500}}`),
  );
  const answer = await post("/v1/chat/completions", '{"model":"acme/m","stream":true,"messages":[]}');
  expect(answer.status).toBe(200);
  const [first, second] = (await answer.text()).split("\n\n");
  expect(first).toBe(chunk('{"content":"Y"}').replace("m-2026", "acme/m"));
  expect(second).toContain('data: {"error":{"message":"the provider failed: no luck with');
  expect(second).not.toContain(KEY);
});

test("an error before any content is a status", async () => {
  await upstream("openai-chat", sse('data: {"error":{"message":"overloaded"}}'));
  const answer = await post("/v1/chat/completions", '{"model":"acme/m","stream":true,"messages":[]}');
  expect(answer.status).toBe(502);
});

test("a provider's 500 is the provider's, not the gateway's", async () => {
  await upstream("openai-chat", (response) => response.writeHead(500).end('{"error":{"message":"oops"}}'));
  const answer = await post("/v1/chat/completions", '{"model":"acme/m","messages":[]}');
  expect(answer.status).toBe(502);
  expect(answer.headers.get("x-should-retry")).toBeNull();
});

test("a stream that breaks off ends with the API's error", async () => {
  await upstream("anthropic", (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const message = { id: "m1", model: "m-2026", content: [], usage: { input_tokens: 1, output_tokens: 1 } };
    const block = { type: "text", text: "" };
    const events = [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
    ];
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  const answer = await post("/v1/messages", '{"model":"acme/m","stream":true,"max_tokens":9,"messages":[]}');
  const events = (await answer.text()).split("\n\n").filter((event) => event !== "");
  expect(events.map((event) => event.split("\n")[0])).toEqual([
    "event: message_start",
    "event: content_block_start",
    "event: content_block_delta",
    "event: error",
  ]);
  expect(events[0]).toContain('"model":"acme/m"');
});
