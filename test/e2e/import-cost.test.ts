import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { requireBuild, run } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";
import { connectRpc } from "../support/gateway-clients.js";
import { temporaryFolder } from "../support/temporary-folder.js";

beforeAll(requireBuild);

const dist = new URL("../../dist/", import.meta.url).href;
const line = JSON.stringify({ role: "user", content: "hi", timestamp: 0 });

/** Writes the address of each file before it is loaded. */
const hook = `import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(2, url + "\\n");
  return next(url, context);
}`;
const register = `import { register } from "node:module";
register(${JSON.stringify(dataUrl(hook))});`;

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** The modules of ours, by their paths in `src`, that a new process has loaded when the code has run. */
async function modulesOf(code: string): Promise<string[]> {
  const args = ["--import", dataUrl(register), "--input-type=module", "-e", code];
  const { code: exit, stdout, stderr } = await run(process.execPath, args);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "" });
  return oursIn(stderr);
}

function oursIn(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => (line.startsWith(dist) ? modulesIn(line) : []));
}

/** A built file names each module it consists of: `//#region src/core/error.ts`. */
function modulesIn(address: string): string[] {
  const built = readFileSync(new URL(address), "utf8");
  return [...built.matchAll(/^\/\/#region src\/(.+)$/gm)].flatMap(([, module]) => module ?? []);
}

test("the command line starts, and converts, without the code of any channel", async () => {
  const input = join(temporaryFolder(), "in.jsonl");
  writeFileSync(input, `${line}\n`);
  const main = `${dist}cli/main.js`;
  const args = ["convert", input, "--from", "openclaw", "--to", "pi"];
  const modules = await modulesOf(
    `process.argv.splice(1, 0, ...${JSON.stringify(["main.js", ...args, "-o", `${input}.out`])}); await import(${JSON.stringify(main)});`,
  );
  expect(modules).toContain("cli/channels/commands.ts");
  expect(modules).toContain("dialects/pi/encode.ts");
  expect(modules.filter((path) => path.startsWith("channels/"))).toEqual([]);
});

const importing = `import { connect } from ${JSON.stringify(`${dist}providers/index.js`)};`;
const optional = /^dialects\/.+\/|^providers\/demo\//;

test("no provider's code is loaded with dragoman/providers, nor by connecting", async () => {
  const modules = await modulesOf(`${importing} connect("anthropic/m"); connect("demo/echo");`);
  expect(modules).toContain("providers/connect.ts");
  expect(modules.filter((path) => optional.test(path))).toEqual([]);
});

test("what is asked loads the code of its own API", async () => {
  const modules = await modulesOf(`${importing}
    await connect("anthropic/m").preview({ messages: [{ role: "user", content: "hi", timestamp: 0 }] });`);
  const folders = modules.filter((path) => optional.test(path)).map((path) => path.split("/")[1]);
  expect([...new Set(folders)]).toEqual(["anthropic"]);
});

test("a check loads the dialect that is named, and no API", async () => {
  const modules = await modulesOf(`
    import { check } from ${JSON.stringify(`${dist}convert/index.js`)};
    await check(${JSON.stringify(line)}, { from: "openclaw" });`);
  const folders = modules.filter((path) => optional.test(path)).map((path) => path.split("/")[1]);
  expect([...new Set(folders)]).toEqual(["openclaw"]);
});

test("a gateway starts without the code of any provider, and without what checks the arguments of tools", async () => {
  const serve = readdirSync(new URL("parts/", dist)).find((name) => name.startsWith("gateway-"));
  const modules = await modulesOf(`await import(${JSON.stringify(`${dist}parts/${serve}`)});`);
  expect(modules).toContain("gateway/models/protocols.ts");
  const folders = modules.filter((path) => path.startsWith("dialects/")).map((path) => path.split("/")[1]);
  expect([...new Set(folders)].sort()).toEqual(["registry.ts", "timbal"]);
  expect(modules).not.toContain("agent/check-arguments.ts");
});

interface GatewayOptions {
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  config?: object;
  /** The agent that is asked, and how its run ends. */
  agent?: string;
  status?: string;
}

/** The modules that a gateway has loaded when an agent has run. */
async function modulesOfGateway(options: GatewayOptions = {}): Promise<string[]> {
  const { args = [], config = {}, agent = "main", status = "done" } = options;
  const env = { NODE_OPTIONS: `--import ${dataUrl(register)}`, ...options.env };
  const home = temporaryFolder();
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  const { child, token, url, ended } = await startServe(home, ["--model", "demo/echo", ...args], env);
  const rpc = await connectRpc({ url, token });
  const key = `agent:${agent}:main`;
  await rpc.call("sessions.create", { key, agent });
  const { runId } = await rpc.send(key, "hello");
  expect(await rpc.call("agent.wait", { runId })).toMatchObject({ status });
  rpc.close();
  child.kill("SIGTERM");
  return oursIn((await ended).stderr);
}

test("a gateway on files runs without the code of PostgreSQL, of links between gateways and of telemetry", async () => {
  const optional = (path: string) => /^(?:log\/postgres|gateway\/links|telemetry)\//.test(path);
  const alone = await modulesOfGateway();
  expect(alone).toContain("log/files/file-store.ts");
  expect(alone.filter(optional)).toEqual([]);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  const all = (await modulesOfGateway({ args: ["--advertise", "http://127.0.0.1:0"], env })).filter(optional);
  expect(all).toContain("gateway/links/links.ts");
  expect(all).toContain("telemetry/telemetry.ts");
}, 60_000);

test("a gateway without MCP servers and programs as agents runs without the code of either", async () => {
  const optional = (path: string) => /^(?:mcp|acp)\/client\//.test(path);
  expect((await modulesOfGateway()).filter(optional)).toEqual([]);
  const config = {
    mcpServers: { none: { command: "dragoman-no-such-server" } },
    agents: { program: { acp: { command: "dragoman-no-such-program" } } },
  };
  const all = (await modulesOfGateway({ config, agent: "program", status: "error" })).filter(optional);
  expect(all).toContain("mcp/client/servers.ts");
  expect(all).toContain("acp/client/run-program.ts");
}, 60_000);

test.each([
  [
    "the version",
    `process.argv.splice(1, 0, "main.js", "--version"); process.stdout.write = () => true; await import(${JSON.stringify(`${dist}cli/main.js`)});`,
  ],
  ["a dialect that the gateway uses", `await import(${JSON.stringify(`${dist}dialects/timbal/index.js`)});`],
])("%s is loaded without the gateway", async (_, code) => {
  const modules = await modulesOf(code);
  expect(modules).not.toEqual([]);
  expect(modules.filter((path) => path.startsWith("gateway/"))).toEqual([]);
});

test("no source map is published or named, because the package has no sources", () => {
  const folder = new URL(dist);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => name.endsWith(".map"))).toEqual([]);
  const scripts = files.filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(20);
  const named = scripts.filter((name) =>
    /^\/\/# sourceMappingURL=/m.test(readFileSync(new URL(name, folder), "utf8")),
  );
  expect(named).toEqual([]);
});
