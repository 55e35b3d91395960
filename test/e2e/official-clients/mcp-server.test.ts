import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { announceGateway } from "../../../src/cli/running-gateway.js";
import { mcpProtocol } from "../../../src/gateway/mcp/protocol.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { main, requireBuild } from "../../support/cli/run-cli.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

beforeAll(requireBuild);

/** What the tests use of both SDKs. */
interface OfficialClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: object | undefined }[] }>;
  callTool(name: string, args: Record<string, unknown>): Promise<object>;
  close(): Promise<void>;
}

const info = { name: "judge", version: "1.0.0" };

async function legacy(transport: LegacyHttp | LegacyStdio): Promise<OfficialClient> {
  const client = new LegacyClient(info);
  // Its own types disagree about optional fields.
  await client.connect(transport as Parameters<LegacyClient["connect"]>[0]);
  return {
    listTools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

async function modern(
  transport: ModernHttp | ModernStdio,
  mode: "legacy" | "auto" | { pin: string },
  version: string,
): Promise<OfficialClient> {
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  return {
    listTools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

function address({ url, chat }: TestGateway) {
  return [new URL(`${url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${chat}` } } }] as const;
}

/** `dragoman mcp serve` on the gateway's home, as a client starts it. */
function command({ home }: TestGateway) {
  return {
    command: process.execPath,
    args: [main, "mcp", "serve"],
    env: { HOME: home, DRAGOMAN_HOME: home },
    stderr: "pipe" as const,
  };
}

const clients: Record<string, (gateway: TestGateway) => Promise<OfficialClient>> = {
  "sdk 1 over HTTP": (gateway) => legacy(new LegacyHttp(...address(gateway))),
  "client 2 over HTTP, by default": (gateway) =>
    modern(new ModernHttp(...address(gateway)), "legacy", "2025-11-25"),
  "client 2 over HTTP, auto": (gateway) => modern(new ModernHttp(...address(gateway)), "auto", "2026-07-28"),
  "client 2 over HTTP, pinned": (gateway) =>
    modern(new ModernHttp(...address(gateway)), { pin: "2026-07-28" }, "2026-07-28"),
  "sdk 1 over stdio": (gateway) => legacy(new LegacyStdio(command(gateway))),
  "client 2 over stdio, auto": (gateway) => modern(new ModernStdio(command(gateway)), "auto", "2026-07-28"),
};

const names = ["sessions_search", "sessions_list", "sessions_read", "convert", "check", "ask_agent"];

test.each(Object.keys(clients))(
  "%s lists the tools and gets results that fit their schemas",
  async (name) => {
    const gateway = await testGateway([mcpProtocol]);
    onTestFinished(await announceGateway(gateway.home, gateway.url));
    const client = await clients[name]?.(gateway);
    if (client === undefined) throw new Error(name);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(names);
    // The clients check `structuredContent` against the tools' schemas.
    expect(await client.callTool("sessions_list", { source: "dragoman" })).toMatchObject({
      structuredContent: { sessions: [] },
    });
    const line = '{"role":"user","content":"Hi","timestamp":1768469400000}\n';
    expect(await client.callTool("check", { text: line, from: "openclaw" })).toMatchObject({
      structuredContent: { dialect: "openclaw", total: 0 },
    });
    expect(await client.callTool("convert", { text: line, from: "openclaw", to: "anthropic" })).toMatchObject(
      {
        structuredContent: { from: "openclaw", to: "anthropic" },
      },
    );
    expect(await client.callTool("sessions_read", { session: "nope", source: "dragoman" })).toMatchObject({
      isError: true,
    });
    expect(await client.callTool("ask_agent", { message: "Hi" })).toMatchObject({
      structuredContent: { answer: expect.stringContaining("Hi") },
    });
    await client.close();
    // A process on the home creates a token for itself, and revokes it when it ends.
    expect(await gateway.tokens.list()).toEqual([]);
  },
);

test("without a gateway, ask_agent says how to start one", async () => {
  const home = temporaryFolder();
  const transport = new LegacyStdio({
    command: process.execPath,
    args: [main, "mcp", "serve"],
    env: { HOME: home, DRAGOMAN_HOME: home, DRAGOMAN_PORT: "1" },
  });
  const client = await legacy(transport);
  onTestFinished(() => client.close());
  expect(await client.callTool("ask_agent", { message: "Hi" })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("start it with `dragoman serve`") }],
  });
});
