import { once } from "node:events";
import { createRequire } from "node:module";
import {
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
} from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { McpClient } from "../../../src/mcp/client/client.js";
import { HttpTransport } from "../../../src/mcp/client/http-transport.js";
import { StdioTransport } from "../../../src/mcp/client/stdio-transport.js";
import { echoProgram } from "../../fakes/mcp/stdio-echo.js";
import { workspace } from "../../support/cli/run-cli.js";
import { startServe } from "../../support/cli/serve-process.js";
import { connectRpc } from "../../support/gateway-clients.js";
import { isAlive } from "../../support/process-alive.js";

const require = createRequire(import.meta.url);
const everything = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");

/** A server made with the official SDK, which answers requests of both eras. */
function sdkServer() {
  const server = new McpServer({ name: "official", version: "2.4.0" });
  const schema = fromJsonSchema<{ a: number; b: number }>({
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  });
  server.registerTool("add", { description: "Adds.", inputSchema: schema }, async ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  server.registerTool("greet", { description: "Asks for a name." }, async (context) => {
    const answer = acceptedContent<{ name: string }>(context.mcpReq.inputResponses, "who");
    if (answer !== undefined) return { content: [{ type: "text", text: `Hello ${answer.name}` }] };
    const requestedSchema = {
      type: "object" as const,
      properties: { name: { type: "string" as const } },
      required: ["name"],
    };
    return inputRequired({
      inputRequests: { who: inputRequired.elicit({ message: "Who?", requestedSchema }) },
    });
  });
  return server;
}

describe.each(["modern", "legacy"] as const)("a server of the official SDK, %s", (era) => {
  async function connect() {
    const handler = createMcpHandler(() => sdkServer());
    const client = await McpClient.connect({
      era,
      open: (events) =>
        new HttpTransport(
          {
            url: "http://localhost/mcp",
            headers: {},
            fetch: (url, init) => handler.fetch(new Request(url, init)),
          },
          events,
        ),
    });
    onTestFinished(() => client.close());
    return client;
  }

  test("lists and calls tools", async () => {
    const client = await connect();
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["add", "greet"]);
    expect(await client.callTool("add", { a: 2, b: 3 })).toMatchObject({
      content: [{ type: "text", text: "5" }],
      structuredContent: { sum: 5 },
    });
    expect(await client.callTool("add", { a: "two" })).toMatchObject({ isError: true });
  });

  test.runIf(era === "modern")("answers its question", async () => {
    const client = await connect();
    const result = await client.callTool(
      "greet",
      {},
      { elicit: async () => ({ action: "accept", content: { name: "Ann" } }) },
    );
    expect(result).toMatchObject({ content: [{ type: "text", text: "Hello Ann" }] });
  });
});

test("server-everything: tools, progress, questions, resources and prompts", async () => {
  const client = await McpClient.connect({
    open: (events) =>
      new StdioTransport(
        { command: process.execPath, args: [everything], env: { PATH: process.env["PATH"] ?? "" }, cwd: "/" },
        events,
      ),
  });
  onTestFinished(() => client.close());
  expect(client.agreement).toMatchObject({ era: "legacy", version: "2025-11-25" });
  expect(await client.callTool("get-sum", { a: 2, b: 3 })).toMatchObject({
    content: [{ type: "text", text: "The sum of 2 and 3 is 5." }],
  });
  expect(await client.callTool("get-tiny-image", {})).toMatchObject({
    content: [{ type: "text" }, { type: "image", mimeType: "image/png" }, { type: "text" }],
  });
  const steps: number[] = [];
  await client.callTool(
    "trigger-long-running-operation",
    { duration: 0.1, steps: 3 },
    { onProgress: ({ progress }) => steps.push(progress) },
  );
  expect(steps).toEqual([1, 2, 3]);
  const asked: string[] = [];
  await client.callTool(
    "trigger-elicitation-request",
    {},
    {
      elicit: async ({ message }) => {
        asked.push(message);
        return { action: "decline" };
      },
    },
  );
  expect(asked).toHaveLength(1);
  const [resource] = await client.listResources();
  expect((await client.readResource(resource?.uri ?? "")).contents).toHaveLength(1);
  expect((await client.listPrompts()).map(({ name }) => name)).toContain("simple-prompt");
});

describe("a gateway with servers", () => {
  const { path, put } = workspace();

  /** A gateway whose agent has asked the server for its process id. */
  async function begin() {
    const echo = { command: process.execPath, args: ["-e", echoProgram({ stderr: "\u001b[31mechoing\n" })] };
    const permissions = [{ tool: "echo/*", action: "allow" }];
    const config = {
      agents: { main: { permissions } },
      mcpServers: { echo, gone: { command: "no-such-program" } },
    };
    put("home/config.json", JSON.stringify(config));
    const serve = await startServe(path("home"), ["--model", "demo/script"]);
    const client = await connectRpc(serve);
    onTestFinished(() => client.close());
    const sessionKey = "agent:main:main";
    const { runId } = await client.call("chat.send", {
      sessionKey,
      text: "call: echo__pid {}\n---\nsay: done",
    });
    await client.call("agent.wait", { runId });
    const { messages } = await client.call("chat.history", { sessionKey });
    const result = messages.map(({ message }) => message).find(({ role }) => role === "toolResult");
    const pid =
      result?.role === "toolResult" && result.content[0]?.type === "text"
        ? Number(result.content[0].text)
        : 0;
    return { serve, client, pid };
  }

  test("gives agents their tools, reports missing ones, and leaves no process behind", async () => {
    const { serve, client, pid } = await begin();
    expect(isAlive(pid)).toBe(true);
    const { servers } = await client.call("mcp.status", {});
    expect(servers.map(({ name, state, why }) => [name, state, why])).toEqual([
      ["echo", "ready", undefined],
      ["gone", "waiting", 'the program "no-such-program" was not found'],
    ]);
    serve.child.kill("SIGTERM");
    const { code, stderr } = await serve.ended;
    expect(code).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(stderr).toContain('"mcp":"echo","msg":"echoing"');
    expect(stderr).not.toContain("\u001b");
  });

  test("a killed gateway leaves no process behind", async () => {
    const { serve, pid } = await begin();
    serve.child.kill("SIGKILL");
    await once(serve.child, "exit");
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });
});
