import { afterEach, describe, expect, test } from "vitest";
import { type FakeHttpOptions, FakeMcpHttp } from "../../../test/fakes/mcp/fake-http-server.js";
import type { FakeTool } from "../../../test/fakes/mcp/fake-server.js";
import { type ClientOptions, McpClient } from "./client.js";
import { HttpTransport } from "./http-transport.js";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const tools: Record<string, FakeTool> = {
  add: {
    run: ({ args }) => ({ content: [{ type: "text", text: String(Number(args["a"]) + Number(args["b"])) }] }),
  },
  wait: {
    run: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve({}))),
  },
  count: {
    run({ progress }) {
      progress(1, 2, "half");
      progress(2, 2);
      return { content: [], structuredContent: { counted: 2 } };
    },
  },
  ask: {
    async run({ elicit }) {
      const answer = await elicit({
        message: "Your name?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } } },
      });
      return { content: [{ type: "text", text: JSON.stringify(answer) }] };
    },
  },
  "name with ü": { run: () => ({ content: [] }) },
};

const MODERN = ["2026-07-28"];
const LEGACY = ["2025-11-25"];

async function connect(
  server: Partial<FakeHttpOptions> = {},
  options: Partial<ClientOptions> & { headers?: Record<string, string> } = {},
) {
  const http = new FakeMcpHttp({ versions: MODERN, tools, ...server });
  const url = await http.listen();
  closing.push(() => http.close());
  const { headers = {}, ...rest } = options;
  const client = await McpClient.connect({
    open: (events) => new HttpTransport({ url, headers, fetch: (to, init) => fetch(to, init) }, events),
    ...rest,
  });
  closing.push(() => client.close());
  return { client, http, fake: http.server };
}

const eras = [
  ["modern, JSON", { versions: MODERN }],
  ["modern, streams", { versions: MODERN, streams: true }],
  ["legacy, JSON", { versions: LEGACY }],
  ["legacy, streams", { versions: LEGACY, streams: true }],
] as const;

describe.each(eras)("%s", (name, server) => {
  const isStream = name.endsWith("streams");

  test("lists all pages of tools and calls one", async () => {
    const { client, fake } = await connect({ ...server, pageSize: 2 });
    expect((await client.listTools()).map((tool) => tool.name)).toEqual([
      "add",
      "wait",
      "count",
      "ask",
      "name with ü",
    ]);
    expect(await client.callTool("add", { a: 2, b: 3 })).toMatchObject({
      content: [{ type: "text", text: "5" }],
    });
    await client.callTool("name with ü", {});
    expect(fake.problems).toEqual([]);
  });

  test("reports the era, the version and the server", async () => {
    const { client } = await connect(server);
    expect(client.agreement).toMatchObject({
      era: name.startsWith("modern") ? "modern" : "legacy",
      version: name.startsWith("modern") ? "2026-07-28" : "2025-11-25",
      server: { name: "fake", version: "1.2.3" },
    });
  });

  test("an error of the server is an error of the call", async () => {
    const { client } = await connect(server);
    await expect(client.callTool("missing", {})).rejects.toMatchObject({
      code: "mcp/failed",
      message: "the server answered with error -32602: unknown tool: missing",
    });
  });

  test("an abort cancels the call on the server", async () => {
    const { client, fake } = await connect(server);
    const controller = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      tools["wait"] = {
        run: ({ signal }) =>
          new Promise((end) => {
            signal.addEventListener("abort", () => {
              resolve();
              end({});
            });
            controller.abort();
          }),
      };
    });
    await expect(client.callTool("wait", {}, { signal: controller.signal })).rejects.toThrow(
      "the call was cancelled",
    );
    await aborted;
    expect(fake.cancelled.length).toBe(name.startsWith("modern") ? 0 : 1);
  });

  test.runIf(isStream)("progress arrives before the answer, and structured content with it", async () => {
    const { client } = await connect(server);
    const seen: unknown[] = [];
    const result = await client.callTool(
      "count",
      {},
      { onProgress: ({ progress, message }) => seen.push([progress, message]) },
    );
    expect(seen).toEqual([
      [1, "half"],
      [2, undefined],
    ]);
    expect(result.structuredContent).toEqual({ counted: 2 });
  });

  test.runIf(isStream || name.startsWith("modern"))("a question during a call is answered", async () => {
    const { client } = await connect(server);
    const result = await client.callTool(
      "ask",
      {},
      {
        elicit: async ({ message }) => ({ action: "accept", content: { name: message } }),
      },
    );
    expect(result.content).toEqual([
      { type: "text", text: '{"action":"accept","content":{"name":"Your name?"}}' },
    ]);
  });

  test("a call that takes too long fails", async () => {
    const { client } = await connect(server);
    await expect(client.callTool("wait", {}, { timeoutMs: 30 })).rejects.toMatchObject({
      code: "mcp/timeout",
    });
  });

  test("a changed list is reported", async () => {
    let resolve = () => {};
    const changed = new Promise<void>((done) => (resolve = done));
    const { client, http, fake } = await connect(server, {
      onChange: (list) => list === "tools" && resolve(),
    });
    await expect.poll(() => fake.calls.includes("subscriptions/listen") || http.peers.length > 0).toBe(true);
    fake.change({ other: { run: () => ({}) } }, http.peers);
    await changed;
    expect((await client.listTools()).map((tool) => tool.name)).toEqual(["other"]);
  });
});

test("a server of both eras is used as a modern one, unless the era is set", async () => {
  const versions = [...MODERN, ...LEGACY];
  expect((await connect({ versions })).client.agreement.era).toBe("modern");
  expect((await connect({ versions }, { era: "legacy" })).client.agreement.era).toBe("legacy");
});

test("a version that neither side shares is an error", async () => {
  await expect(connect({ versions: ["2024-01-01"] }, { era: "legacy" })).rejects.toThrow(
    "it supports 2024-01-01",
  );
  await expect(connect({ versions: LEGACY }, { era: "modern" })).rejects.toMatchObject({
    code: "mcp/failed",
  });
});

test("a legacy stream that ends early is resumed at its last event", async () => {
  const { client, http } = await connect({ versions: LEGACY, breaksStreams: true });
  expect(await client.callTool("add", { a: 1, b: 1 })).toMatchObject({ content: [{ text: "2" }] });
  expect(http.requests).toContain("200 GET resume");
});

test("a configured header is sent, and a refusal is reported as such", async () => {
  const { client } = await connect({ token: "right" }, { headers: { Authorization: "Bearer right" } });
  expect(client.agreement.era).toBe("modern");
  await expect(
    connect({ token: "right" }, { headers: { Authorization: "Bearer wrong" } }),
  ).rejects.toMatchObject({
    code: "mcp/unauthorized",
  });
});

test("a tool with an invalid header mark is left out alone; others are sent as headers", async () => {
  const marked = (type: string, name: string): FakeTool => ({
    inputSchema: { type: "object", properties: { region: { type, "x-mcp-header": name } } },
    run: () => ({ content: [] }),
  });
  const { client } = await connect({
    tools: { good: marked("string", "Region"), bad: marked("number", "Region") },
  });
  const problems: string[] = [];
  expect((await client.listTools((problem) => problems.push(problem))).map(({ name }) => name)).toEqual([
    "good",
  ]);
  expect(problems).toEqual([
    'the tool "bad" is not valid: region: x-mcp-header is allowed only on strings, integers and booleans',
  ]);
});

test("resources and prompts are read", async () => {
  const { client } = await connect({
    resources: { "note://1": { text: "one" } },
    prompts: { greet: { messages: [{ role: "user", content: { type: "text", text: "Hello {name}" } }] } },
  });
  expect((await client.listResources()).map(({ uri }) => uri)).toEqual(["note://1"]);
  expect(await client.readResource("note://1")).toMatchObject({ contents: [{ text: "one" }] });
  expect(await client.getPrompt("greet", { name: "Ann" })).toMatchObject({
    messages: [{ role: "user", content: { type: "text", text: "Hello Ann" } }],
  });
});
