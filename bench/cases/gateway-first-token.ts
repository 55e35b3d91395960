import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Case, Host, Row } from "../case.js";
import { median } from "../cpu.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const REQUESTS = 300;
const WARM_UP = 100;
const FIRST_TOKEN_AT_MOST_MS = 15;

/** Programs that say where they listen; the first is what the others are compared with. */
const programs: Record<string, string[]> = {
  "floor: node:http": [".bench/servers/bare.js"],
  "the model endpoints": [".bench/servers/models.js"],
};

interface Server {
  process: ChildProcess;
  url: string;
  token: string;
}

async function start(args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url, token } = JSON.parse(String(line));
  return { process: child, url, token };
}

const body = JSON.stringify({
  model: "demo/echo",
  stream: true,
  messages: [{ role: "user", content: "Hi there" }],
});

/** Milliseconds from the request to the first piece of text, over a connection that is there already. */
async function firstToken({ url, token }: Server, agent: Agent): Promise<number> {
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

async function measure(host: Host): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const servers = new Map<string, { server: Server; cold: number; times: number[] }>();
  try {
    for (const [label, args] of Object.entries(programs)) {
      const server = await start(args);
      servers.set(label, { server, cold: await firstToken(server, agent), times: [] });
    }
    for (let count = 1; count <= WARM_UP + REQUESTS; count++) {
      if (count % 50 === 0) host.progress(`request ${count} of ${WARM_UP + REQUESTS}`);
      for (const { server, times } of servers.values()) {
        const ms = await firstToken(server, agent);
        if (count > WARM_UP) times.push(ms);
      }
    }
    host.progress("");
  } finally {
    agent.destroy();
    for (const { server } of servers.values()) server.process.kill();
  }
  return rows(servers);
}

function rows(servers: ReadonlyMap<string, { cold: number; times: readonly number[] }>): Row[] {
  const results = [...servers].map(([label, { cold, times }]) => ({
    label,
    cold,
    middle: median(times),
    late: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN,
  }));
  const floor = results[0]?.middle ?? Number.NaN;
  return results.map(({ label, cold, middle, late }, index) => ({
    label,
    figures: {
      "median ms": index === 0 ? middle : { value: middle, atMost: FIRST_TOKEN_AT_MOST_MS },
      "99th of 100 ms": late,
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
