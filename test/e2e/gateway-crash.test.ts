import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { DragomanClient } from "../../src/client/index.js";
import type { AgentMessage } from "../../src/core/types.js";
import { openHome } from "../../src/log/files/home.js";
import { workspace } from "../support/cli/run-cli.js";
import { type ServeProcess, startServe } from "../support/cli/serve-process.js";
import {
  type Address,
  Changing,
  type Completion,
  complete,
  connectRpc,
  insist,
  postJson,
  RpcWatcher,
  TimbalFollower,
} from "../support/gateway-clients.js";
import { answerTo, chance, cutAnswers, endsOf, expectSound } from "../support/sound-session.js";

/** How often the server is killed. Each takes a start of it, half a second or more. */
const KILLS = Number(process.env["DRAGOMAN_TEST_KILLS"] ?? 50) / 5;
/** The same sessions are used for so many kills. */
const KILLS_PER_ROUND = 25;
const LONGEST_PAUSE_MS = 60;

const { path, put, dragoman } = workspace();

const config = {
  model: "demo/script",
  agents: { main: { permissions: [{ tool: "*", action: "allow" }] } },
  gateway: { limits: { requestsPerMinute: 1_000_000 } },
};

const scripts = [
  (tag: string) => `say: ${tag} ${"one two three four five ".repeat(200)}`,
  (tag: string) => `say: ${tag} let me look\ncall: exec {"command":"sleep 0.02"}\n---\nsay: ${tag} done`,
];

/** One session: what of it was acknowledged, each message by its tag, and what somebody sees who watches it. */
interface Talk {
  key: string;
  accepted: string[];
  watcher: RpcWatcher;
}

/** A server that is killed now and then, on the same port and home. */
class Mortal extends Changing {
  readonly address: Address;
  #server: ServeProcess;
  acknowledged = 0;

  private constructor(server: ServeProcess, token: string) {
    super();
    this.#server = server;
    this.address = { url: server.url, token };
  }

  static async start(): Promise<Mortal> {
    // The one it tells when it starts dies with its process.
    const { stdout } = await dragoman(["token", "create", "--scope", "admin", "--home", path("home")]);
    return new Mortal(await startServe(path("home")), stdout.trim());
  }

  accept(talk: Talk, tag: string): void {
    talk.accepted.push(tag);
    this.acknowledged++;
    this.changed();
  }

  async killAndStart(): Promise<void> {
    this.#server.child.kill("SIGKILL");
    await this.#server.ended;
    const { port } = new URL(this.address.url);
    this.#server = await startServe(path("home"), ["--port", port]);
  }

  stop(): Promise<{ code: number | null }> {
    this.#server.child.kill("SIGTERM");
    return this.#server.ended;
  }
}

function tagOf(message: AgentMessage): string | undefined {
  if (message.role !== "user" || typeof message.content !== "string") return undefined;
  return /^say: (\S+)/.exec(message.content)?.[1];
}

function idOf(messages: readonly AgentMessage[], tag: string): string | undefined {
  return messages.find((message) => tagOf(message) === tag)?.id;
}

function isAnswered({ watcher: { messages } }: Talk, tag: string): boolean {
  const id = idOf(messages, tag);
  return id !== undefined && endsOf(answerTo(messages, id)).length > 0;
}

/** Says one thing after the other until it is told to stop; fulfilled when the last of them is acknowledged. */
async function talkOn(
  name: string,
  isOver: () => boolean,
  say: (tag: string, text: string) => Promise<void>,
) {
  for (let count = 0; !isOver(); count++) {
    const tag = `${name}-${count}`;
    await say(tag, scripts[count % scripts.length]?.(tag) ?? "");
  }
}

/** Several people in a few sessions, each with a client of another kind, until the server was killed so many times. */
async function round(server: Mortal, name: string, kills: number, random: Generator<number, never>) {
  const { address } = server;
  const clients: DragomanClient[] = await Promise.all([connectRpc(address), connectRpc(address)]);
  const [ann, ben] = clients;
  if (ann === undefined || ben === undefined) throw new Error("two clients were asked for");
  const thread = randomUUID();
  const keys = [
    `agent:main:${name}:dm:shared`,
    `agent:main:timbal:dm:${thread}`,
    `agent:main:${name}:dm:api`,
  ];
  const [shared, threaded, asked] = await Promise.all(
    keys.map(async (key): Promise<Talk> => {
      if (key.includes(thread)) await insist(() => postJson(address, `/v1/threads/${thread}`, {}));
      else await ann.call("sessions.create", { key });
      return { key, accepted: [], watcher: new RpcWatcher(ann, key) };
    }),
  );
  if (shared === undefined || threaded === undefined || asked === undefined) throw new Error("three keys");
  const talks = [shared, threaded, asked] as const;
  const second = new RpcWatcher(ben, shared.key);
  const follower = new TimbalFollower(address, thread);
  const completions = new Map<string, Completion>();

  let over = false;
  const overRpc = (client: DragomanClient) => async (tag: string, text: string) => {
    await client.send(shared.key, { text, mode: "followup", idempotencyKey: tag });
    server.accept(shared, tag);
    // One may wait while another is answered.
    await shared.watcher.until(() => shared.accepted.filter((sent) => !isAnswered(shared, sent)).length < 3);
  };
  const talking = [
    talkOn("ann", () => over, overRpc(ann)),
    talkOn("ben", () => over, overRpc(ben)),
    talkOn(
      "tim",
      () => over,
      async (tag, content) => {
        const messages = `/v1/threads/${thread}/messages`;
        const { status } = await insist(() =>
          postJson(address, messages, { content }, { "idempotency-key": tag }),
        );
        expect(status).toBe(202);
        server.accept(threaded, tag);
        await threaded.watcher.until(() => isAnswered(threaded, tag));
      },
    ),
    talkOn(
      "api",
      () => over,
      async (tag, text) => {
        let heard = false;
        const onAccepted = () => {
          if (!heard) server.accept(asked, tag);
          heard = true;
        };
        completions.set(tag, await insist(() => complete(address, asked.key, tag, text, onAccepted)));
      },
    ),
  ];

  const answeredLater = new Set<string>();
  for (let killed = 0; killed < kills; killed++) {
    const enough = server.acknowledged + 1 + Math.floor(random.next().value * 3);
    await server.until(() => server.acknowledged >= enough);
    await setTimeout(random.next().value * LONGEST_PAUSE_MS);
    for (const talk of talks) {
      for (const tag of talk.accepted) if (!isAnswered(talk, tag)) answeredLater.add(tag);
    }
    await server.killAndStart();
  }
  over = true;
  await Promise.all(talking);
  for (const talk of talks) {
    await talk.watcher.until(() => talk.accepted.every((tag) => isAnswered(talk, tag)));
  }
  return { talks, second, follower, thread, completions, answeredLater, clients };
}

async function logged(key: string): Promise<{ id: string; messages: AgentMessage[] }> {
  const log = openHome(path("home"));
  const session = await log.openOrCreate({ agent: "main", key });
  const messages: AgentMessage[] = [];
  for await (const { message } of session.read()) messages.push(message);
  await session.close();
  return { id: session.id, messages };
}

/** What a session says in words. */
function wordsIn(messages: readonly AgentMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === "user") return String(message.content);
    if (message.role !== "assistant") return [];
    return message.content.flatMap((block) => (block.type === "text" ? block.text : []));
  });
}

/** What the API told is what the session has as the answer to it. */
function expectCompleted(
  messages: readonly AgentMessage[],
  completions: ReadonlyMap<string, Completion>,
): void {
  for (const [tag, completion] of completions) {
    const answer = answerTo(messages, idOf(messages, tag) ?? "");
    expect(completion).toEqual({
      text: wordsIn(answer).join("\n\n"),
      failed: endsOf(answer).includes("error"),
    });
  }
}

/** Who was there all the time has what somebody gets who comes now; and that is what the log says. */
async function expectFollowed(
  address: Address,
  thread: string,
  follower: TimbalFollower,
  messages: readonly AgentMessage[],
): Promise<void> {
  const fresh = new TimbalFollower(address, thread);
  await fresh.until(() => fresh.cursor !== undefined);
  await follower.until(() => follower.cursor === fresh.cursor);
  expect(
    fresh.values.flatMap(({ value }) =>
      value?.["type"] === "user" || value?.["type"] === "agent" ? value["content"] : [],
    ),
  ).toEqual(wordsIn(messages));
  expect(follower.values).toEqual(fresh.values);
  fresh.leave();
  follower.leave();
}

test(
  `a gateway that is killed ${KILLS} times loses nothing, and nobody sees anything else than its log`,
  async () => {
    put("home/config.json", JSON.stringify(config));
    const random = chance(5);
    const server = await Mortal.start();
    let [cut, answeredLater, accepted, lost] = [0, 0, 0, 0];
    for (let killed = 0; killed < KILLS; killed += KILLS_PER_ROUND) {
      const kills = Math.min(KILLS_PER_ROUND, KILLS - killed);
      const played = await round(server, `round${killed}`, kills, random);
      const { talks, second, follower, thread, completions, clients } = played;
      for (const { key, accepted: tags, watcher } of talks) {
        const { id, messages } = await logged(key);
        const said = messages.flatMap((message) => tagOf(message) ?? []);
        expect(new Set(said).size).toBe(said.length);
        expect(tags.filter((tag) => !said.includes(tag))).toEqual([]);
        const ids = messages.flatMap((message) => (message.role === "user" ? (message.id ?? []) : []));
        await expectSound(path("home"), id, messages, ids);
        for (const one of key === talks[0].key ? [watcher, second] : [watcher]) {
          await one.until(() => one.messages.length >= messages.length);
          expect(one.messages).toEqual(messages);
          expect([one.problems, one.failure]).toEqual([[], undefined]);
          lost += one.lost;
        }
        if (key === talks[1].key) await expectFollowed(server.address, thread, follower, messages);
        if (key === talks[2].key) expectCompleted(messages, completions);
        cut += cutAnswers(messages);
        accepted += tags.length;
      }
      answeredLater += played.answeredLater.size;
      for (const client of clients) client.close();
    }
    expect((await server.stop()).code).toBe(0);
    // The moments were worth it: answers were cut, and messages waited for the next start.
    expect({
      accepted: accepted > KILLS,
      cut: cut > 0,
      answeredLater: answeredLater > 0,
      lost: lost >= KILLS,
    }).toEqual({ accepted: true, cut: true, answeredLater: true, lost: true });
  },
  Math.max(180_000, KILLS * 6_000),
);
