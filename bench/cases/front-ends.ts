import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDragoman, type DragomanClient } from "dragoman/client";
import { WebSocket } from "ws";
import type { Case, Host, Row } from "../support/case.js";
import { median } from "../support/cpu.js";
import { cpuMsOf } from "../support/process-cost.js";
import { type ServerProcess, startGateway, startServer } from "../support/server-process.js";
import { ageOf } from "../support/stamp.js";

const CLIENTS = 200;
const FULL_CLIENTS = 1_000;
const WORDS = 80;
/** So many clients need a while to join. */
const FULL_WORDS = 120;
const ROUNDS = 2;
/** A word every so many milliseconds, the pace of a model. */
const PAUSE_MS = 100;
const KEY = "agent:main:page:dm:bench";

/** Clients of one answer. */
interface Watching {
  /** The number of events that all clients have received. */
  events(): number;
  /** How old words were on arrival, in milliseconds. */
  ages: number[];
  /** Fulfilled when every client has received the end. */
  ended: Promise<unknown>;
  close(): void;
}

/** The gateway's cost of one answer, and the events that its clients received. */
interface Cost {
  cpuMs: number;
  events: number;
  /** The median age of a word on arrival. */
  ageMs: number;
}

/** The clients, and what they connect through. */
interface Audience {
  clients: number;
  words: number;
  agent: Agent;
}

type Watch = (server: ServerProcess, audience: Audience) => Promise<Watching>;

const contenders: Record<string, Watch> = {
  "/rpc": watchRpc,
  "AI SDK UI message stream": watchStreams("GET", "/ai-sdk/main/chat/bench/stream"),
  "AG-UI, connect": watchStreams("POST", "/ag-ui/agent/main/connect", {
    threadId: "bench",
    runId: "r",
    messages: [],
  }),
  "without clients": async () => ({
    events: () => 0,
    ages: [],
    ended: Promise.resolve(),
    close: () => undefined,
  }),
};

async function watchRpc({ url, token }: ServerProcess, { clients }: Audience): Promise<Watching> {
  const hello = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "chat.subscribe",
    params: { sessionKey: KEY, events: ["agent"] },
  });
  const sockets = await each(clients, async () => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/rpc`, ["dragoman.v1", `bearer.${token}`]);
    await once(socket, "open");
    socket.send(hello);
    await once(socket, "message");
    return socket;
  });
  let events = 0;
  const ages: number[] = [];
  const ended = Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on("message", (data) => {
            events++;
            addAge(ages, String(data));
            if (String(data).includes('"run_end"')) resolve();
          });
        }),
    ),
  );
  return {
    events: () => events,
    ages,
    ended,
    close: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** Clients that join the answer in progress. */
function watchStreams(method: string, path: string, body?: object): Watch {
  return async ({ url, token }, { clients, agent }) => {
    const responses = await each(clients, async () => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const asking = request(`${url}${path}`, { agent, method, headers });
      asking.end(body === undefined ? undefined : JSON.stringify(body));
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        asking.once("response", resolve).once("error", reject);
      });
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
      return response;
    });
    let events = 0;
    const ages: number[] = [];
    for (const response of responses) {
      response.setEncoding("utf8").on("data", (text: string) => {
        events += text.split("\n\n").length - 1;
        addAge(ages, text);
      });
    }
    const ended = Promise.all(responses.map((response) => once(response, "end")));
    return { events: () => events, ages, ended, close: () => undefined };
  };
}

/** A whole message is longer than a word, and not new. */
function addAge(ages: number[], text: string): void {
  const age = text.length < 1_000 ? ageOf(text) : undefined;
  if (age !== undefined) ages.push(age);
}

/** In batches, because a server refuses more new connections at once. */
async function each<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) {
    made.push(...(await Promise.all(Array.from({ length: Math.min(100, count - made.length) }, make))));
  }
  return made;
}

/** The CPU time of the gateway for the words that are sent while all clients watch. */
async function play(
  server: ServerProcess,
  client: DragomanClient,
  watch: Watch,
  audience: Audience,
): Promise<Cost> {
  // A subscription to a session can begin before the answer; a stream is that of an answer in progress.
  const subscribed = watch === watchRpc ? await watch(server, audience) : undefined;
  const { runId } = await client.send(KEY, `${audience.words} ${PAUSE_MS}`);
  const watching = subscribed ?? (await watch(server, audience));
  // What was sent while clients joined does not count.
  const [before, early] = [cpuMsOf(server.process.pid), watching.events()];
  watching.ages.length = 0;
  await client.call("agent.wait", { runId, timeoutMs: 600_000 });
  await watching.ended;
  const cpuMs = cpuMsOf(server.process.pid) - before;
  watching.close();
  const { ages } = watching;
  return {
    cpuMs,
    events: watching.events() - early,
    ageMs: ages.length === 0 ? Number.NaN : median(ages),
  };
}

async function measure(host: Host): Promise<Row[]> {
  if (process.platform !== "linux") {
    host.note("skipped: the cost of a process is read from /proc, which only Linux has");
    return [];
  }
  const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const [clients, words] = host.full ? [FULL_CLIENTS, FULL_WORDS] : [CLIENTS, WORDS];
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const model = await startServer([".bench/servers/paced-model.js"]);
  const gateway = await startGateway(home, {
    model: "bench/words",
    providers: { bench: { baseUrl: `${model.url}/v1`, api: "openai-chat", apiKey: "none" } },
    agents: { main: { tools: [] } },
    gateway: { limits: { requestsPerMinute: 1_000_000, connections: 4_000 } },
  });
  const client = await connectDragoman({
    url: `${gateway.url.replace("http", "ws")}/rpc`,
    token: gateway.token,
    WebSocket,
  });
  try {
    await client.call("sessions.create", { key: KEY });
    const costs = new Map<string, Cost[]>(Object.keys(contenders).map((label) => [label, []]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [label, watch] of Object.entries(contenders)) {
        host.progress(`${label}: ${round === 0 ? "warm-up" : `round ${round} of ${ROUNDS}`}`);
        const cost = await play(gateway, client, watch, { clients, words, agent });
        if (round > 0) costs.get(label)?.push(cost);
      }
    }
    host.progress("");
    return rowsOf(costs);
  } finally {
    client.close();
    agent.destroy();
    for (const { process } of [gateway, model]) process.kill("SIGKILL");
    await rm(home, { recursive: true, force: true });
  }
}

function rowsOf(costs: ReadonlyMap<string, readonly Cost[]>): Row[] {
  const perEvent = [...costs].map(([label, taken]) => ({
    label,
    cpuMs: median(taken.map(({ cpuMs }) => cpuMs)),
    micros: median(taken.map(({ cpuMs, events }) => (cpuMs * 1000) / events)),
    ageMs: median(taken.map(({ ageMs }) => ageMs)),
  }));
  const [rpc] = perEvent;
  return perEvent.map(({ label, cpuMs, micros, ageMs }) => ({
    label,
    figures: {
      "CPU ms per answer": cpuMs,
      ...(Number.isFinite(micros)
        ? {
            "CPU µs per client and event": micros,
            "× /rpc": micros / (rpc?.micros ?? Number.NaN),
            "ms from the model to a client": ageMs,
          }
        : {}),
    },
  }));
}

export const frontEnds: Case = {
  title: `an answer of ${WORDS} words at the pace of a model, for ${CLIENTS} clients of each protocol (--full: ${FULL_WORDS} words, ${FULL_CLIENTS} clients)`,
  works: {},
  onlyThisVersion: "Older versions have no AI SDK and AG-UI endpoints.",
  measure,
};
