import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case, Host, Row } from "../support/case.js";
import { connectTo } from "../support/gateway-client.js";
import { residentMbOf } from "../support/process-cost.js";
import { startGateway, startServer, stopServers } from "../support/server-process.js";

const SHORT_MS = 20_000;
const FULL_MS = 600_000;
const WORDS = 200;
const KEY = "agent:main:bench:dm:0";
/** Memory is bounded if it does not grow further than a garbage collector's noise. */
const GROWTH_AT_MOST_MB = 10;

/** Answers follow each other without a pause, in one session with one client. */
async function talk(cwd: string, model: string, lasts: number, progress: (text: string) => void) {
  const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const gateway = await startGateway(
    home,
    {
      model: "bench/words",
      providers: { bench: { baseUrl: `${model}/v1`, api: "openai-chat", apiKey: "none" } },
      agents: { main: { tools: [] } },
      gateway: { limits: { requestsPerMinute: 1_000_000 } },
    },
    { cwd },
  );
  const client = await connectTo(gateway, cwd);
  try {
    const { pid } = gateway.process;
    const began = performance.now();
    let answers = 0;
    let third: { residentMb: number; logMb: number } | undefined;
    for (let past = 0; past < lasts; past = performance.now() - began) {
      progress(`${Math.round(past / 1000)} of ${lasts / 1000} s`);
      const { runId } = await client.send(KEY, `${WORDS} 0`);
      await client.call("agent.wait", { runId, timeoutMs: 600_000 });
      answers++;
      if (past > lasts / 3) third ??= { residentMb: residentMbOf(pid), logMb: await logMbOf(home) };
    }
    const last = { residentMb: residentMbOf(pid), logMb: await logMbOf(home) };
    const from = third ?? last;
    const growthMb = last.residentMb - from.residentMb;
    return { answers, growthMb, residentMb: last.residentMb, logMb: last.logMb - from.logMb };
  } finally {
    client.close();
    await stopServers([gateway]);
    await rm(home, { recursive: true, force: true });
  }
}

async function logMbOf(home: string): Promise<number> {
  const folder = join(home, "agents/main/sessions");
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

async function measure(host: Host): Promise<Row[]> {
  if (process.platform !== "linux") {
    host.note("skipped: the memory of a process is read from /proc, which only Linux has");
    return [];
  }
  const model = await startServer([".bench/servers/paced-model.js"]);
  try {
    const rows: Row[] = [];
    for (const { suffix, root } of host.versions) {
      const lasts = host.full ? FULL_MS : SHORT_MS;
      const { answers, growthMb, residentMb, logMb } = await talk(root, model.url, lasts, host.progress);
      rows.push({
        label: `one session, one client${suffix}`,
        figures: {
          answers,
          "MB of log in the last two thirds": logMb,
          "MB of growth in the last two thirds": { value: growthMb, atMost: GROWTH_AT_MOST_MB },
          "MB at the end": residentMb,
        },
      });
    }
    host.progress("");
    return rows;
  } finally {
    model.process.kill();
    await once(model.process, "close");
  }
}

export const fullSpeed: Case = {
  title: `the memory of a session that talks without a pause, for ${SHORT_MS / 1000} s (--full: ${FULL_MS / 60_000} minutes)`,
  works: {},
  measure,
};
