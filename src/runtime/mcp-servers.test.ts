import { afterEach, expect, test } from "vitest";
import { FakeMcpHttp } from "../../test/fakes/mcp/fake-http-server.js";
import type { FakeTool } from "../../test/fakes/mcp/fake-server.js";
import { user } from "../../test/fakes/watching.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import type { AgentMessage } from "../core/types.js";
import { Runtime } from "./runtime.js";
import type { Config } from "./schema.js";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const tools: Record<string, FakeTool> = {
  search: {
    annotations: { readOnlyHint: true },
    run: ({ args }) => ({
      content: [{ type: "text", text: `found ${String(args["q"])}` }],
      structuredContent: [1],
    }),
  },
};

async function runtimeWith(config: (url: string) => Config): Promise<Runtime> {
  const http = new FakeMcpHttp({ versions: ["2026-07-28"], tools });
  const url = await http.listen();
  closing.push(() => http.close());
  const runtime = new Runtime({ home: temporaryFolder(), config: { model: "demo/script", ...config(url) } });
  closing.push(() => runtime.close());
  return runtime;
}

const SEARCH = 'call: docs__search {"q":"x"}\n---\nsay: done';

async function resultOf(runtime: Runtime): Promise<AgentMessage | undefined> {
  const conversation = await runtime.begin({});
  await conversation.send(user(SEARCH));
  await conversation.idle();
  return (await conversation.messages()).find(({ role }) => role === "toolResult");
}

test("an agent calls a server's tool that a rule allows by server/tool", async () => {
  const runtime = await runtimeWith((url) => ({
    mcpServers: { docs: { url } },
    agents: { main: { permissions: [{ tool: "docs/sea*", action: "allow" }] } },
  }));
  expect(await resultOf(runtime)).toMatchObject({
    toolName: "docs__search",
    content: [{ type: "text", text: "found x" }],
    details: { server: "docs", tool: "search", serverVersion: "fake 1.2.3", structuredContent: [1] },
    isError: false,
  });
});

test("what a server says about its tool allows nothing", async () => {
  const runtime = await runtimeWith((url) => ({ mcpServers: { docs: { url } } }));
  expect(await resultOf(runtime)).toMatchObject({
    content: [{ text: '"docs__search" with "docs/search" needs approval, but no approver is present' }],
    isError: true,
  });
});

test("an approver is asked for server/tool, and can allow it for the session", async () => {
  const runtime = await runtimeWith((url) => ({ mcpServers: { docs: { url } } }));
  const conversation = await runtime.begin({});
  const asked: unknown[] = [];
  conversation.watch(
    (event) => {
      if (event.type !== "permission") return;
      asked.push(event.request.subject);
      conversation.permissions.answer(event.request.id, "session");
    },
    { asks: true },
  );
  for (let times = 0; times < 2; times++) {
    await conversation.send(user(SEARCH));
    await conversation.idle();
  }
  expect(asked).toEqual(["docs/search"]);
});

test("an agent's list of tools selects tools of servers by pattern, connected or not", async () => {
  const runtime = await runtimeWith((url) => ({
    mcpServers: { docs: { url }, gone: { command: "no-such-program" } },
    agents: { none: { tools: [] }, some: { tools: ["read", "docs/*", "gone/anything"] } },
  }));
  const names = async (agent: string) => (await runtime.toolsOf(agent)).map(({ name }) => name);
  expect(await names("main")).toEqual(["read", "write", "edit", "exec", "docs__search"]);
  expect(await names("none")).toEqual([]);
  expect(await names("some")).toEqual(["read", "docs__search"]);
});

test("nothing is loaded without servers", async () => {
  const runtime = new Runtime({
    home: temporaryFolder(),
    config: { agents: { main: { mcpServers: { a: false } } } },
  });
  closing.push(() => runtime.close());
  expect(await runtime.mcpServers()).toBeUndefined();
});
