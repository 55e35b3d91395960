import { afterEach, expect, test } from "vitest";
import { FakeMcpHttp } from "../../../test/fakes/mcp/fake-http-server.js";
import type { FakeTool } from "../../../test/fakes/mcp/fake-server.js";
import { echoProgram } from "../../../test/fakes/mcp/stdio-echo.js";
import type { ToolRun } from "../../agent/types.js";
import type { McpServersConfig } from "../settings.js";
import { McpServers, type ServersOptions } from "./servers.js";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const say = (text: string): FakeTool => ({ run: () => ({ content: [{ type: "text", text }] }) });

async function httpServer(tools: Record<string, FakeTool>, versions = ["2026-07-28"]) {
  const http = new FakeMcpHttp({ versions, tools });
  const url = await http.listen();
  closing.push(() => http.close());
  return { http, url };
}

function serversOf(servers: McpServersConfig, options: Partial<ServersOptions> = {}): McpServers {
  const all = new McpServers({
    servers,
    agents: {},
    home: "/tmp",
    env: () => undefined,
    fetch: (url, init) => fetch(url, init),
    ...options,
  });
  closing.push(() => all.close());
  return all;
}

function echo(program = echoProgram()) {
  return { command: process.execPath, args: ["-e", program] };
}

const run: ToolRun = { toolCallId: "1", signal: new AbortController().signal, update: () => undefined };

async function call(servers: McpServers, name: string, args = {}): Promise<unknown> {
  const tool = (await servers.toolsFor("main")).find((known) => known.name === name);
  return (await tool?.execute(args, run))?.content;
}

test("tools are sorted, named by their server, and selected by the settings", async () => {
  const { url } = await httpServer({ write: say("w"), read: say("r"), remove: say("x") });
  const servers = serversOf({
    zoo: { url, enabledTools: ["re*"], disabledTools: ["remove"] },
    docs: { url, disabledTools: ["re*"] },
    off: { url, disabled: true },
  });
  const tools = await servers.toolsFor("main");
  expect(tools.map(({ name, ruleName }) => [name, ruleName])).toEqual([
    ["docs__write", "docs/write"],
    ["zoo__read", "zoo/read"],
  ]);
  expect(tools.map((tool) => tool.subject?.({}))).toEqual(["docs/write", "zoo/read"]);
});

test("an agent's own server replaces the one of all agents, and false removes it", async () => {
  const shared = await httpServer({ shared: say("") });
  const own = await httpServer({ own: say("") });
  const servers = serversOf(
    { a: { url: shared.url }, b: { url: shared.url } },
    { agents: { coder: { a: { url: own.url }, b: false } } },
  );
  const names = async (agent: string) => (await servers.toolsFor(agent)).map(({ name }) => name);
  expect(await names("main")).toEqual(["a__shared", "b__shared"]);
  expect(await names("coder")).toEqual(["a__own"]);
});

test("a schema is shown to models as an object, without references to other documents", async () => {
  const inputSchema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { a: { $ref: "https://example.com/a.json" }, b: { $ref: "#/definitions/b" } },
    definitions: { b: { type: "string" } },
  };
  const { url } = await httpServer({ one: { ...say(""), inputSchema } });
  const [tool] = await serversOf({ s: { url } }).toolsFor("main");
  expect(JSON.parse(JSON.stringify(tool?.parameters))).toEqual({
    type: "object",
    properties: { a: {}, b: { $ref: "#/definitions/b" } },
    definitions: { b: { type: "string" } },
  });
});

test("a server that is missing has a reason, and the others work", async () => {
  const { url } = await httpServer({ ok: say("fine") });
  const servers = serversOf({
    good: { url },
    gone: { url: "http://127.0.0.1:1/mcp" },
    missing: { command: "no-such-program" },
    unset: { url, headers: { Authorization: `Bearer \${NOT_SET}` } },
  });
  expect(await call(servers, "good__ok")).toEqual([{ type: "text", text: "fine" }]);
  expect(servers.status().map(({ name, state, why }) => [name, state, why])).toEqual([
    ["gone", "waiting", expect.stringContaining("the server cannot be reached")],
    ["good", "ready", undefined],
    ["missing", "waiting", expect.stringContaining('the program "no-such-program" was not found')],
    [
      "unset",
      "failed",
      `the environment variable NOT_SET is not set; set NOT_SET before starting Dragoman, or write \${NOT_SET:-default}`,
    ],
  ]);
});

test("variables are filled in, and their values appear nowhere", async () => {
  const lines: string[] = [];
  const states: string[] = [];
  const secret = "verysecretvalue";
  const program = `process.stderr.write("using " + process.env.KEY + "\\n"); process.exit(1)`;
  const servers = serversOf(
    { s: { ...echo(program), env: { KEY: `\${MY_KEY}` } } },
    {
      env: (name) => (name === "MY_KEY" ? secret : undefined),
      onLine: (_, line) => lines.push(line),
      onState: ({ why = "" }) => states.push(why),
    },
  );
  await servers.start();
  expect(lines).toEqual(["using [secret]"]);
  expect(states).toEqual(["the process exited with code 1; its last output was: using [secret]"]);
});

test("a process gets the configured environment, and no other secrets", async () => {
  process.env["OUTER_TOKEN"] = "outer-secret";
  const servers = serversOf({ s: { ...echo(), env: { ECHO_SECRET: "inner" } } });
  expect(await call(servers, "s__secret")).toEqual([{ type: "text", text: "inner none" }]);
  delete process.env["OUTER_TOKEN"];
});

test("a process is shared, and started again after a crash; its tools stay", async () => {
  const servers = serversOf({ s: echo() });
  const pid = await call(servers, "s__pid");
  expect(await call(servers, "s__pid")).toEqual(pid);
  await expect(call(servers, "s__crash")).rejects.toThrow("the process exited with code 3");
  expect(servers.status()).toMatchObject([{ state: "waiting", why: "the process exited with code 3" }]);
  expect((await servers.toolsFor("main")).map(({ name }) => name)).toContain("s__echo");
  // A call does not wait for the next attempt.
  expect(await call(servers, "s__pid")).not.toEqual(pid);
  expect(servers.status()).toMatchObject([{ state: "ready" }]);
});

test("a call is repeated when the server has forgotten the session", async () => {
  const { http, url } = await httpServer({ ok: say("again") }, ["2025-11-25"]);
  const servers = serversOf({ s: { url } });
  await servers.start();
  http.forget();
  expect(await call(servers, "s__ok")).toEqual([{ type: "text", text: "again" }]);
});

test("a changed list changes the tools of the next run", async () => {
  const { http, url } = await httpServer({ before: say("") });
  let changed = () => {};
  const seen = new Promise<void>((resolve) => (changed = resolve));
  const servers = serversOf(
    { s: { url } },
    { onState: ({ tools }) => tools.includes("s/after") && changed() },
  );
  await servers.start();
  await expect.poll(() => http.server.calls.includes("subscriptions/listen")).toBe(true);
  http.server.change({ after: say("") }, http.peers);
  await seen;
  expect((await servers.toolsFor("main")).map(({ name }) => name)).toEqual(["s__after"]);
});

test("an unknown server is named with those that exist", () => {
  const servers = serversOf({ a: { url: "http://127.0.0.1:1" }, b: { url: "http://127.0.0.1:1" } });
  expect(() => servers.link("main", "c")).toThrow('there is no MCP server "c"');
});
