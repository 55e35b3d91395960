import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DragomanClient } from "dragoman/client";
import { WebSocket } from "ws";
import type { ClientsJob, Round } from "../socket-clients.js";
import type { Case, Host, Row } from "../support/case.js";
import { late, median } from "../support/cpu.js";
import { connectTo } from "../support/gateway-client.js";
import { cpuMsOf, residentMbOf } from "../support/process-cost.js";
import { type ServerProcess, startGateway, startServer } from "../support/server-process.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const SPEED_AT_LEAST = 0.8;
/** With a session for every five clients, at a model's pace. */
const LATE_AT_MOST_MS = 20;
const PER_CLIENT_AT_MOST_KB = 30;
const ROUNDS = 3;
const PACED = { words: 60, pause: 50 };
const GROWTH_MS = 15_000;
const FULL_GROWTH_MS = process.env["DRAGOMAN_SOAK"] === undefined ? 600_000 : 3_600_000;

interface Shape {
  label: string;
  sessions: number;
  clientsEach: number;
  /** The number of words of an answer without pauses. */
  words: number;
}

const shapes: readonly Shape[] = [
  { label: "1 session, 1,000 clients", sessions: 1, clientsEach: 1000, words: 200 },
  { label: "200 sessions, 5 clients each", sessions: 200, clientsEach: 5, words: 100 },
];

/** A server under measurement, and its clients. */
interface Contender {
  server: ServerProcess;
  clients: ChildProcess;
  /** Starts an answer of this many words in every session. */
  begin(words: number, pause: number): Promise<void>;
}

async function connectClients(
  { url, token }: ServerProcess,
  { clientsEach }: Shape,
  groups: ClientsJob["groups"],
): Promise<ChildProcess> {
  const job: ClientsJob = { port: Number(new URL(url).port), token, groups, socketsEach: clientsEach };
  const child = fork(".bench/socket-clients.js", [JSON.stringify(job)], { cwd: root });
  await once(child, "message");
  return child;
}

async function play({ server, clients, begin }: Contender, words: number, pause: number) {
  const before = cpuMsOf(server.process.pid);
  const over = once(clients, "message");
  await begin(words, pause);
  const [round] = await over;
  const { frames, ms, ages }: Round = round;
  return { frames, ms, ages, cpuMs: cpuMsOf(server.process.pid) - before };
}

function configFor(model: ServerProcess) {
  return {
    model: "bench/words",
    providers: { bench: { baseUrl: `${model.url}/v1`, api: "openai-chat", apiKey: "none" } },
    agents: { main: { tools: [] } },
    gateway: { limits: { requestsPerMinute: 1_000_000, connections: 4_000 } },
  };
}

function keyOf(session: number): string {
  return `agent:main:bench:dm:${session}`;
}

function subscribing(sessionKey: string): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "chat.subscribe",
    params: { sessionKey, events: ["agent", "message"] },
  });
}

/** The frames of one answer, as a client receives them. */
async function record(
  { url, token }: ServerProcess,
  client: DragomanClient,
  words: number,
): Promise<string[]> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/rpc`, ["dragoman.v1", `bearer.${token}`]);
  await once(socket, "open");
  socket.send(subscribing(keyOf(0)));
  await once(socket, "message");
  const frames: string[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on("message", (data) => {
      frames.push(String(data));
      if (frames.at(-1)?.includes('"run_end"') === true) resolve();
    });
  });
  await client.send(keyOf(0), `${words} 0`);
  await ended;
  socket.close();
  return frames;
}

interface Gateway extends Contender {
  client: DragomanClient;
  /** The frames of one answer, for the floor. */
  frames: string[];
  perClientKb: number;
}

async function openGateway(
  shape: Shape,
  model: ServerProcess,
  folder: string,
  cwd: string,
): Promise<Gateway> {
  const { sessions, clientsEach, words } = shape;
  const home = await mkdtemp(join(folder, "home-"));
  const server = await startGateway(home, configFor(model), { cwd });
  const client = await connectTo(server, cwd);
  const keys = keysOf(shape);
  for (const key of keys) await client.call("sessions.create", { key });
  const frames = await record(server, client, words);
  const idleMb = residentMbOf(server.process.pid);
  const groups = keys.map((key) => ({ path: "/rpc", hello: subscribing(key) }));
  const clients = await connectClients(server, shape, groups);
  const perClientKb = ((residentMbOf(server.process.pid) - idleMb) * 1024) / (sessions * clientsEach);
  const begin = async (count: number, pause: number) => {
    await Promise.all(keys.map((key) => client.send(key, `${count} ${pause}`)));
  };
  return { server, clients, begin, client, frames, perClientKb };
}

function keysOf({ sessions }: Shape): string[] {
  return Array.from({ length: sessions }, (_, index) => keyOf(index));
}

async function measureShape(shape: Shape, model: ServerProcess, folder: string, host: Host): Promise<Row[]> {
  const { label, sessions, words } = shape;
  const processes: ChildProcess[] = [];
  const clients: DragomanClient[] = [];
  try {
    const gateways: { suffix: string; gateway: Gateway }[] = [];
    for (const { suffix, root: cwd } of host.versions) {
      const gateway = await openGateway(shape, model, folder, cwd);
      processes.push(gateway.server.process, gateway.clients);
      clients.push(gateway.client);
      gateways.push({ suffix, gateway });
    }
    const file = join(folder, `frames-${sessions}.json`);
    await writeFile(file, JSON.stringify(gateways[0]?.gateway.frames));
    const bare = await startServer([".bench/servers/broadcast.js", file]);
    processes.push(bare.process);
    const floor: Contender = {
      server: bare,
      clients: await connectClients(
        bare,
        shape,
        keysOf(shape).map((key) => ({ path: `/${key}`, hello: "hello" })),
      ),
      begin: async (_, pause) => {
        await fetch(`${bare.url}/start?pause=${pause}`);
      },
    };
    processes.push(floor.clients);
    const contenders: { name: string; contender: Contender; perClientKb?: number }[] = [
      { name: "floor: ws.send to everybody", contender: floor },
      ...gateways.map(({ suffix, gateway }) => ({
        name: `the gateway, /rpc${suffix}`,
        contender: gateway,
        perClientKb: gateway.perClientKb,
      })),
    ];
    const results = contenders.map((each) => ({
      ...each,
      fast: [] as Awaited<ReturnType<typeof play>>[],
      ages: [] as number[],
    }));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { name, contender, fast } of results) {
        host.progress(`${label}: ${name}: ${round === 0 ? "warm-up" : `round ${round} of ${ROUNDS}`}`);
        const played = await play(contender, words, 0);
        if (round > 0) fast.push(played);
      }
    }
    for (const { name, contender, ages } of results) {
      host.progress(`${label}: ${name}: a word every ${PACED.pause} ms`);
      ages.push(...(await play(contender, PACED.words, PACED.pause)).ages);
    }
    const [ours] = gateways;
    const growth = sessions === 1 && ours !== undefined ? await growthOf(ours.gateway, host) : undefined;
    return rowsOf(shape, results, growth);
  } finally {
    host.progress("");
    for (const client of clients) client.close();
    for (const child of processes) child.kill("SIGKILL");
  }
}

/**
 * How much the server's memory grows over many answers, once it is warm. The answers come at the pace of a model; at a higher
 * pace the conversation itself, which is in memory, would account for the growth.
 */
async function growthOf(contender: Contender, host: Host): Promise<number> {
  const lasts = host.full ? FULL_GROWTH_MS : GROWTH_MS;
  const began = performance.now();
  let middle: number | undefined;
  for (let past = 0; past < lasts; past = performance.now() - began) {
    host.progress(`memory over time: ${Math.round(past / 1000)} of ${lasts / 1000} s`);
    await play(contender, PACED.words, PACED.pause);
    if (past > lasts / 3) middle ??= residentMbOf(contender.server.process.pid);
  }
  const last = residentMbOf(contender.server.process.pid);
  return last - (middle ?? last);
}

type Result = {
  name: string;
  perClientKb?: number;
  fast: readonly { frames: number; ms: number; cpuMs: number }[];
  ages: readonly number[];
};

function rowsOf({ label, sessions }: Shape, results: readonly Result[], growth?: number): Row[] {
  const speeds = results.map(({ fast }) => median(fast.map(({ frames, ms }) => (frames / ms) * 1000)));
  const [floor = Number.NaN] = speeds;
  return results.map(({ name, fast, ages, perClientKb }, index) => {
    const speed = speeds[index] ?? Number.NaN;
    const slow = late(ages);
    const isOurs = index > 0;
    return {
      label: `${label}  ${name}`,
      figures: {
        "frames/s": speed,
        "speed of floor": isOurs ? { value: speed / floor, atLeast: SPEED_AT_LEAST } : 1,
        "CPU µs per frame": median(fast.map(({ frames, cpuMs }) => (cpuMs * 1000) / frames)),
        "paced: median ms": median(ages),
        "paced: 99th of 100 ms": isOurs && sessions > 1 ? { value: slow, atMost: LATE_AT_MOST_MS } : slow,
        ...(perClientKb === undefined
          ? {}
          : { "KB per idle client": { value: perClientKb, atMost: PER_CLIENT_AT_MOST_KB } }),
        ...(index === 1 && growth !== undefined ? { "MB of growth": growth } : {}),
      },
    };
  });
}

async function measure(host: Host): Promise<Row[]> {
  if (process.platform !== "linux") {
    host.note("skipped: the cost of a process is read from /proc, which only Linux has");
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const model = await startServer([".bench/servers/paced-model.js"]);
  try {
    const rows: Row[] = [];
    for (const shape of shapes) rows.push(...(await measureShape(shape, model, folder, host)));
    return rows;
  } finally {
    model.process.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}

export const gatewayLoad: Case = { title: "answers that many watch", works: {}, measure };
