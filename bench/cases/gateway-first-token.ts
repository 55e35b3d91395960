import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case, Host, Row } from "../support/case.js";
import { late, median } from "../support/cpu.js";
import { type ServerProcess, startGateway, startServer, stopServers } from "../support/server-process.js";

const CONFIG = { model: "demo/echo", gateway: { limits: { requestsPerMinute: 1_000_000 } } };
const REQUESTS = 300;
const WARM_UP = 100;
const FIRST_TOKEN_AT_MOST_MS = 3;

/** The models of the gateway to ask. */
const models: Record<string, string> = {
  "dragoman serve, demo/echo": "demo/echo",
  "dragoman serve, agent/main, stored": "agent/main",
};

/** Milliseconds from the request to the first text, over an open connection. */
async function firstToken({ url, token }: ServerProcess, model: string, agent: Agent): Promise<number> {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "Hi there" }] });
  const began = performance.now();
  const asking = request(`${url}/v1/chat/completions`, {
    agent,
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  asking.end(body);
  const [response] = await once(asking, "response");
  let [text, ms] = ["", 0];
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk;
    if (ms === 0 && text.includes('"content":"Hi')) ms = performance.now() - began;
  }
  if (ms === 0) throw new Error(`no token came: ${response.statusCode} ${text.slice(0, 200)}`);
  return ms;
}

interface Asked {
  server: ServerProcess;
  model: string;
  cold: number;
  times: number[];
}

async function measure(host: Host): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const servers: ServerProcess[] = [];
  const asked = new Map<string, Asked>();
  try {
    const bare = await startServer([".bench/servers/bare.js"]);
    servers.push(bare);
    const ask = async (label: string, server: ServerProcess, model: string) => {
      asked.set(label, { server, model, cold: await firstToken(server, model, agent), times: [] });
    };
    await ask("floor: node:http", bare, "demo/echo");
    for (const { suffix, root: cwd } of host.versions) {
      const gateway = await startGateway(await mkdtemp(join(folder, "home-")), CONFIG, { cwd });
      servers.push(gateway);
      for (const [label, model] of Object.entries(models)) await ask(`${label}${suffix}`, gateway, model);
    }
    for (let count = 1; count <= WARM_UP + REQUESTS; count++) {
      if (count % 50 === 0) host.progress(`request ${count} of ${WARM_UP + REQUESTS}`);
      for (const { server, model, times } of asked.values()) {
        const ms = await firstToken(server, model, agent);
        if (count > WARM_UP) times.push(ms);
      }
    }
    host.progress("");
  } finally {
    agent.destroy();
    await stopServers(servers);
    await rm(folder, { recursive: true });
  }
  return rows(asked);
}

function rows(asked: ReadonlyMap<string, Asked>): Row[] {
  const results = [...asked].map(([label, { cold, times }]) => ({
    label,
    cold,
    middle: median(times),
    slow: late(times),
  }));
  const floor = results[0]?.middle ?? Number.NaN;
  return results.map(({ label, cold, middle, slow }, index) => ({
    label,
    figures: {
      "median ms": index === 0 ? middle : { value: middle, atMost: FIRST_TOKEN_AT_MOST_MS },
      "99th of 100 ms": slow,
      "the very first ms": cold,
      "× floor": middle / floor,
    },
  }));
}

export const gatewayFirstToken: Case = {
  title: "from a request to the first token of demo/echo, by the clock",
  works: {},
  measure,
};
