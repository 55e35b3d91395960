import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Case, Host, Row } from "../support/case.js";
import { median } from "../support/cpu.js";
import type { StreamedApi } from "../support/provider-streams.js";
import { type ServerProcess, startGateway, startServer, stopServers } from "../support/server-process.js";

const ADDED_AT_MOST_MS = 1;
const STREAM_AT_MOST_FLOORS = 1.5;

/** The path of each API, and the length of the text whose stream has 1 MB. */
const apis: Record<StreamedApi, { path: string; length: number }> = {
  anthropic: { path: "/v1/messages", length: 165_000 },
  "openai-chat": { path: "/v1/chat/completions", length: 60_000 },
};
const SHORT = 40;
/** Requests that are not measured: Node compiles code that was called a few hundred times only in part. */
const WARM_UP = { short: 5000, stream: 200 };

/**
 * How requests follow each other. What a server does after its answer, such as writing its log, must not slow down the other
 * one: each is asked a few times in sequence, so that it delays itself, or there is a pause before each request.
 */
const paces = {
  "in sequence": { pauseMs: 0, block: 20 },
  "after a pause": { pauseMs: 5, block: 1 },
};
type Pace = keyof typeof paces;

function configFor(provider: string) {
  const lengths = [SHORT, ...Object.values(apis).map(({ length }) => length)];
  const names = Object.keys(apis).flatMap((api) => lengths.map((length) => `${api}-server/m-${length}`));
  return {
    model: "demo/echo",
    providers: {
      "anthropic-server": { baseUrl: provider, api: "anthropic", apiKey: "k" },
      "openai-chat-server": { baseUrl: `${provider}/v1`, api: "openai-chat", apiKey: "k" },
    },
    models: Object.fromEntries(names.map((name) => [name, {}])),
    gateway: { limits: { requestsPerMinute: 1_000_000 } },
  };
}

/** Milliseconds from a request to the end of its answer, over an open connection. */
async function ask(
  { url, token }: ServerProcess,
  api: StreamedApi,
  length: number,
  agent: Agent,
  pauseMs: number,
): Promise<number> {
  const body = JSON.stringify({
    model: `${api}-server/m-${length}`,
    max_tokens: 1000,
    stream: true,
    messages: [{ role: "user", content: "Hi there" }],
  });
  if (pauseMs > 0) await setTimeout(pauseMs);
  const began = performance.now();
  const asking = request(`${url}${apis[api].path}`, {
    agent,
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
  });
  asking.end(body);
  const [response] = await once(asking, "response");
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  const ms = performance.now() - began;
  if (response.statusCode !== 200 || bytes < length) {
    throw new Error(`the answer has ${bytes} bytes, status ${response.statusCode}`);
  }
  return ms;
}

/** Medians in milliseconds, by contender: `FLOOR`, and the suffix of each version. */
type Timed = ReadonlyMap<string, number>;
const FLOOR = "bare proxy";

async function measure(host: Host): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true });
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const servers: ServerProcess[] = [];
  try {
    const provider = await startServer([".bench/servers/provider.js"]);
    const proxy = await startServer([".bench/servers/proxy.js", provider.url]);
    servers.push(provider, proxy);
    const contenders = new Map([[FLOOR, proxy]]);
    for (const { suffix, root: cwd } of host.versions) {
      const home = await mkdtemp(join(folder, "home-"));
      const gateway = await startGateway(home, configFor(provider.url), { cwd });
      servers.push(gateway);
      if (await isForwarding(gateway, agent)) contenders.set(suffix, gateway);
      else host.note(`The gateway${suffix} does not forward requests.`);
    }
    const rows: Row[] = [];
    for (const [api, { length }] of Object.entries(apis) as [StreamedApi, { length: number }][]) {
      const timed = async (size: number, times: number, pace: Pace): Promise<Timed> => {
        const { pauseMs, block } = paces[pace];
        const samples = new Map<string, number[]>([...contenders.keys()].map((name) => [name, []]));
        for (let count = 0; count < times; count += block) {
          host.progress(`${api}: request ${count} of ${times}, ${pace}`);
          for (const [name, server] of contenders)
            for (let each = 0; each < block; each++)
              samples.get(name)?.push(await ask(server, api, size, agent, pauseMs));
        }
        return new Map([...samples].map(([name, times]) => [name, median(times)]));
      };
      await timed(SHORT, WARM_UP.short, "in sequence");
      for (const pace of Object.keys(paces) as Pace[])
        rows.push(...shortRows(`${api}, a short answer, ${pace}`, await timed(SHORT, 300, pace)));
      await timed(length, WARM_UP.stream, "in sequence");
      for (const pace of Object.keys(paces) as Pace[])
        rows.push(...streamRows(`${api}, a stream of 1 MB, ${pace}`, await timed(length, 60, pace)));
    }
    host.progress("");
    return rows;
  } finally {
    agent.destroy();
    await stopServers(servers);
    await rm(folder, { recursive: true });
  }
}

/** Whether a gateway passes requests on: some versions have no such endpoint. */
async function isForwarding(gateway: ServerProcess, agent: Agent): Promise<boolean> {
  try {
    await ask(gateway, "anthropic", SHORT, agent, 0);
    return true;
  } catch {
    return false;
  }
}

function shortRows(label: string, timed: Timed): Row[] {
  return rowsOf(label, timed, (added, floors) => ({
    "added ms": { value: added, atMost: ADDED_AT_MOST_MS },
    "× floor": floors,
  }));
}

function streamRows(label: string, timed: Timed): Row[] {
  return rowsOf(label, timed, (added, floors) => ({
    "added ms": added,
    "× floor": { value: floors, atMost: STREAM_AT_MOST_FLOORS },
  }));
}

function rowsOf(
  label: string,
  timed: Timed,
  figuresOf: (added: number, floors: number) => Row["figures"],
): Row[] {
  const floor = timed.get(FLOOR) ?? Number.NaN;
  return [...timed]
    .filter(([suffix]) => suffix !== FLOOR)
    .map(([suffix, ms]) => ({
      label: `${label}${suffix}`,
      figures: { "bare proxy ms": floor, "dragoman ms": ms, ...figuresOf(ms - floor, ms / floor) },
    }));
}

export const passThrough: Case = {
  title: "a request in the provider's own API through the gateway, by the clock",
  works: {},
  measure,
};
