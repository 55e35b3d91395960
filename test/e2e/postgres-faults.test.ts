import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { noteOf } from "../../src/core/message/notes.js";
import type { AgentMessage } from "../../src/core/types.js";
import { workspace } from "../support/cli/run-cli.js";
import { launchServe, type ServeProcess } from "../support/cli/serve-process.js";
import { insist, postJson } from "../support/gateway-clients.js";
import { openPostgres } from "../support/postgres/open-store.js";
import { type PostgresServer, startPostgres } from "../support/postgres/server.js";
import { answerTo, endsOf } from "../support/sound-session.js";

/** Faults of all kinds together. `DRAGOMAN_TEST_FAULTS` is another number; a soak has 200. */
const FAULTS = Number(
  process.env["DRAGOMAN_TEST_FAULTS"] ?? (process.env["DRAGOMAN_SOAK"] === undefined ? 4 : 200),
);
const GATEWAYS = 2;
const CLIENTS = 3;

const { path, put, spawned } = workspace();

/** Longer than the time after which others consider a process dead. */
const FROZEN_MS = 7_500;

/** Gateways that are killed, frozen and started again. */
class Cluster {
  readonly #gateways: ServeProcess[] = [];
  readonly #env: Record<string, string>;
  readonly #database: PostgresServer;

  constructor(database: PostgresServer) {
    this.#database = database;
    this.#env = { DRAGOMAN_STORE: database.url };
  }

  async start(number: number): Promise<void> {
    const args = ["--model", "demo/script"];
    this.#gateways[number] = await launchServe(path(`home-${number}`), args, this.#env, onTestFinished);
  }

  /** Any of them, another one each time. */
  urlFor(count: number): string {
    return this.#gateways[count % GATEWAYS]?.url ?? "";
  }

  async strike(count: number): Promise<string> {
    const number = count % GATEWAYS;
    const gateway = this.#gateways[number];
    if (gateway === undefined) throw new Error("no gateway");
    const kind = ["kill", "freeze", "database"][count % 3];
    if (kind === "kill") {
      gateway.child.kill("SIGKILL");
      await gateway.ended;
      await this.start(number);
    } else if (kind === "freeze") {
      gateway.child.kill("SIGSTOP");
      await setTimeout(FROZEN_MS);
      gateway.child.kill("SIGCONT");
    } else {
      await this.#database.kill();
      await this.#database.start();
    }
    return kind ?? "";
  }
}

async function stored(database: PostgresServer, key: string): Promise<AgentMessage[]> {
  const store = await openPostgres(database.url);
  const session = await store.log.open((await store.log.find(key)) ?? "");
  const messages: AgentMessage[] = [];
  for await (const { message } of session.read()) messages.push(message);
  await store.close();
  return messages;
}

/** Undefined if the message was not accepted, as far as the client knows. */
async function send(url: string, token: string, thread: string, tag: string): Promise<true | undefined> {
  const { status } = await fetch(`${url}/v1/threads/${thread}/messages`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": tag,
    },
    body: JSON.stringify({ content: `say: ${tag}. ${"word ".repeat(20)}` }),
    signal: AbortSignal.timeout(5_000),
  });
  return status === 202 ? true : undefined;
}

const contentOf = (message: AgentMessage) => ("content" in message ? JSON.stringify(message.content) : "");

/**
 * How often a message was stored, and how many answers it has. An answer that was cut off is one, too. Messages that wait
 * for the same run are answered together.
 */
function countsOf(messages: readonly AgentMessage[], tag: string) {
  const shown = messages.filter((message) => noteOf(message) === undefined);
  const isAsked = (message: AgentMessage) =>
    message.role === "user" && contentOf(message).includes(`${tag}.`);
  const first = shown.findIndex(isAsked);
  const answer = shown.findIndex(({ role }, index) => index > first && role !== "user");
  const { id = "" } = shown[answer - 1] ?? {};
  const answered = first === -1 || answer === -1 ? 0 : endsOf(answerTo(shown, id)).length;
  return { stored: shown.filter(isAsked).length, answered };
}

test(`${FAULTS} faults: what is accepted is stored once and answered once`, async () => {
  const database = await startPostgres();
  onTestFinished(() => database.stop());
  for (let number = 0; number < GATEWAYS; number++) {
    put(`home-${number}/config.json`, '{"gateway":{"limits":{"requestsPerMinute":1000000}}}');
  }
  const create = ["token", "create", "--scope", "admin", "--home", path("home-0")];
  const { stdout } = await spawned(create, "", { DRAGOMAN_STORE: database.url });
  const token = stdout.trim();
  const cluster = new Cluster(database);
  for (let number = 0; number < GATEWAYS; number++) await cluster.start(number);

  let over = false;
  const talk = async (client: number) => {
    const thread = `00000000-0000-4000-8000-00000000000${client}`;
    const accepted: string[] = [];
    for (let count = 0; !over; count++) {
      const tag = `c${client}-${count}`;
      // A client whose gateway does not answer asks another one, with the same key.
      await insist(async () => {
        const url = cluster.urlFor(client + count + Math.floor(performance.now() / 500));
        return send(url, token, thread, tag).catch(() => undefined);
      });
      accepted.push(tag);
      await setTimeout(50);
    }
    return { key: `agent:main:timbal:dm:${thread}`, accepted };
  };
  for (let client = 0; client < CLIENTS; client++) {
    const thread = `00000000-0000-4000-8000-00000000000${client}`;
    await insist(() => postJson({ url: cluster.urlFor(0), token }, `/v1/threads/${thread}`, {}));
  }
  const talking = Promise.all(Array.from({ length: CLIENTS }, (_, client) => talk(client)));
  for (let count = 0; count < FAULTS; count++) {
    await setTimeout(500);
    await cluster.strike(count);
  }
  over = true;
  const talks = await talking;
  for (const { key, accepted } of talks) {
    const isAnswered = (messages: readonly AgentMessage[]) =>
      accepted.every((tag) => countsOf(messages, tag).answered > 0);
    let messages = await stored(database, key);
    for (let left = 200; !isAnswered(messages) && left > 0; left--) {
      await setTimeout(200);
      messages = await stored(database, key);
    }
    const counts = accepted.map((tag) => ({ tag, ...countsOf(messages, tag) }));
    expect(counts).toEqual(accepted.map((tag) => ({ tag, stored: 1, answered: 1 })));
    expect(accepted.length).toBeGreaterThan(0);
  }
}, 1_800_000);
