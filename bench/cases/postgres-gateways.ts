import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDragoman, type DragomanClient } from "dragoman/client";
import { WebSocket } from "ws";
import type { Case, Host, Row } from "../support/case.js";
import { median } from "../support/cpu.js";
import { benchAddress, noAddress } from "../support/postgres.js";
import { type ServerProcess, startGateway, startServer, stopServers } from "../support/server-process.js";
import { ageOf } from "../support/stamp.js";

const TOKEN_AT_MOST_MS = 2;
const TAKEOVER_AT_MOST_MS = 2_000;
const PAUSE_MS = 50;
const WARM_UP_WORDS = 20;
const WORDS = 200;
/** More than are sent before the gateway is killed. */
const ENDLESS = 2_000;
const KILLS = 5;

/** A client of one gateway that follows a session. */
class Follower {
  readonly ages: number[] = [];
  readonly #socket: WebSocket;
  #onWord: (() => void) | undefined;
  #onEnd: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(String(data)));
  }

  static async start({ url, token }: ServerProcess, sessionKey: string): Promise<Follower> {
    const socket = new WebSocket(`${url.replace("http", "ws")}/rpc`, ["dragoman.v1", `bearer.${token}`]);
    await once(socket, "open");
    const params = { sessionKey, events: ["agent", "message"] };
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "chat.subscribe", params }));
    await once(socket, "message");
    return new Follower(socket);
  }

  nextWord(): Promise<void> {
    return new Promise((resolve) => {
      this.#onWord = resolve;
    });
  }

  nextEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEnd = resolve;
    });
  }

  stop(): void {
    this.#socket.terminate();
  }

  #receive(frame: string): void {
    if (frame.includes('"run_end"')) this.#onEnd?.();
    const age = frame.length < 1000 ? ageOf(frame) : undefined;
    if (age === undefined) return;
    this.ages.push(age);
    this.#onWord?.();
  }
}

/** Gateways on one store, the first of which gets the messages. */
class Pair {
  readonly #folder: string;
  readonly #model: ServerProcess;
  readonly #address: string;

  constructor(folder: string, model: ServerProcess, address: string) {
    this.#folder = folder;
    this.#model = model;
    this.#address = address;
  }

  async start(): Promise<ServerProcess> {
    const config = {
      model: "bench/words",
      providers: { bench: { baseUrl: `${this.#model.url}/v1`, api: "openai-chat", apiKey: "none" } },
      agents: { main: { tools: [] } },
    };
    const home = await mkdtemp(join(this.#folder, "home-"));
    return startGateway(home, config, {
      args: ["--store", this.#address, "--advertise", "http://127.0.0.1:0"],
    });
  }
}

function connect({ url, token }: ServerProcess): Promise<DragomanClient> {
  return connectDragoman({ url: `${url.replace("http", "ws")}/rpc`, token, WebSocket });
}

/** The ages of words for a client of the gateway that runs the session, and for one of another gateway. */
async function ages(owner: ServerProcess, other: ServerProcess): Promise<[number[], number[]]> {
  const key = `agent:main:bench:dm:${Date.now()}`;
  const client = await connect(owner);
  await client.call("sessions.create", { key });
  const followers = await Promise.all([Follower.start(owner, key), Follower.start(other, key)]);
  for (const words of [WARM_UP_WORDS, WORDS]) {
    for (const { ages: found } of followers) found.length = 0;
    const ended = Promise.all(followers.map((follower) => follower.nextEnd()));
    await client.send(key, `${words} ${PAUSE_MS}`);
    await ended;
  }
  client.close();
  const [local, distant] = followers;
  for (const follower of followers) follower.stop();
  return [local?.ages ?? [], distant?.ages ?? []];
}

/** From the end of the gateway that runs a session to the next word for a client of the other one. */
async function takeover(owner: ServerProcess, other: ServerProcess, session: number): Promise<number> {
  const key = `agent:main:bench:dm:${Date.now()}-${session}`;
  const client = await connect(owner);
  await client.call("sessions.create", { key });
  const follower = await Follower.start(other, key);
  const first = follower.nextWord();
  await client.send(key, `${ENDLESS} ${PAUSE_MS}`);
  await first;
  client.close();
  const ended = once(owner.process, "close");
  owner.process.kill("SIGKILL");
  await ended;
  const began = performance.now();
  await follower.nextWord();
  const ms = performance.now() - began;
  follower.stop();
  const ending = await connect(other);
  await ending.call("chat.abort", { sessionKey: key });
  ending.close();
  return ms;
}

async function measure(host: Host): Promise<Row[]> {
  const address = benchAddress("gateways");
  if (address === undefined) return noAddress(host);
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const model = await startServer([".bench/servers/paced-model.js"]);
  const pair = new Pair(folder, model, address);
  const other = await pair.start();
  const running = [model, other];
  try {
    const owner = await pair.start();
    running.push(owner);
    host.progress("tokens");
    const [local, distant] = await ages(owner, other);
    const times: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      host.progress(`takeover ${kill + 1} of ${KILLS}`);
      const killed = running.pop() ?? owner;
      times.push(await takeover(killed, other, kill));
      running.push(await pair.start());
    }
    const beyond = { value: median(distant) - median(local), atMost: TOKEN_AT_MOST_MS };
    return [
      { label: "age of a word on the gateway that runs the session", figures: { "p50 ms": median(local) } },
      {
        label: "age of a word on another gateway",
        figures: { "p50 ms": median(distant), "p50 ms more": beyond },
      },
      {
        label: "next word after kill -9, from another gateway",
        figures: {
          "p50 ms": { value: median(times), atMost: TAKEOVER_AT_MOST_MS },
          "longest ms": Math.max(...times),
        },
      },
    ];
  } finally {
    await stopServers(running);
    await rm(folder, { recursive: true, force: true });
  }
}

export const postgresGateways: Case = {
  title: "two gateways on PostgreSQL: a word on the other one, and the end of one",
  works: {},
  onlyThisVersion: "Older versions are not measured with PostgreSQL.",
  measure,
};
