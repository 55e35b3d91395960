import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCells } from "../../log/files/cells.js";
import { configOf } from "../../runtime/live-config.js";
import { Runtime } from "../../runtime/runtime.js";
import { TokenStore } from "../auth/token-store.js";
import type { ClientSocket, Gateway, Protocol } from "../types.js";
import { timbalProtocol } from "./protocol.js";

const ID = "550e8400-e29b-41d4-a716-446655440000";
const BIG = "x".repeat(100_000);

let home: string;
let runtime: Runtime;
let protocol: Protocol;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "dragoman-streams-"));
  runtime = new Runtime({ home, config: { model: "demo/echo" } });
  const silent = () => undefined;
  const gateway: Gateway = {
    runtime,
    logger: { info: silent, warn: silent, error: silent },
    tokens: new TokenStore(openCells(runtime.home)),
    config: configOf(runtime),
    metrics: { count: silent, gauge: silent },
    limits: {
      bodyBytes: 1e6,
      frameBytes: 1e6,
      unreadBytes: 150_000,
      connections: 10,
      requestsPerMinute: 1000,
    },
    closing: new AbortController().signal,
    now: Date.now,
  };
  protocol = timbalProtocol(gateway);
});

afterEach(async () => {
  await runtime.close();
  await rm(home, { recursive: true, force: true });
});

/** A client that takes what it is sent only when the test says so. */
class PatientSocket implements ClientSocket {
  readonly caller = { token: "t", scope: "read" as const, address: "" };
  sent = 0;
  readonly synced: Promise<void>;
  last = "";
  readonly closedWith: Promise<[number, string]>;
  readonly full: Promise<void>;
  say: (text: string) => void = () => undefined;
  #leave: () => void = () => undefined;
  #isFull: () => void = () => undefined;
  #isSynced: () => void = () => undefined;
  #isClosed: (how: [number, string]) => void = () => undefined;
  #take: () => void = () => undefined;

  constructor() {
    this.closedWith = new Promise((fulfil) => {
      this.#isClosed = fulfil;
    });
    this.synced = new Promise((fulfil) => {
      this.#isSynced = fulfil;
    });
    this.full = new Promise((fulfil) => {
      this.#isFull = fulfil;
    });
  }

  charge(): boolean {
    return true;
  }

  send(text: string | Uint8Array): void {
    this.sent += text.length;
    const shown = Buffer.from(text).toString();
    if (shown.includes('"cursor"')) this.#isSynced();
    else this.last = shown;
  }

  close(code: number, reason: string): void {
    this.#isClosed([code, reason]);
    this.#leave();
    this.take();
  }

  drained(): Promise<void> {
    this.#isFull();
    return new Promise((resolve) => {
      this.#take = resolve;
    });
  }

  take(): void {
    this.#take();
  }

  onMessage(listener: (text: string) => void): void {
    this.say = listener;
  }

  onClose(listener: () => void): void {
    this.#leave = listener;
  }
}

async function threadWithHistory(first = BIG) {
  const conversation = await runtime.begin({ key: `agent:main:timbal:dm:${ID}` });
  const say = async (content: string) => {
    await conversation.send({ role: "user", content, timestamp: Date.now() });
    await conversation.idle();
  };
  await say(first);
  return { say, conversation };
}

function open(socket: ClientSocket): void {
  const route = protocol.sockets?.find(({ path }) => path === "/v1/threads/:id/stream");
  route?.open(socket, { id: "r", url: new URL("http://x/"), params: { id: ID }, headers: {} });
}

test("what was before is sent no faster than it is taken", async () => {
  await threadWithHistory();
  const socket = new PatientSocket();
  open(socket);
  socket.say('{"c":"sync"}');
  await socket.full;
  expect(Math.floor(socket.sent / BIG.length)).toBe(1);
  socket.close(1000, "enough");
});

test("who does not take it while more happens than may wait is let go", async () => {
  const { say } = await threadWithHistory();
  const socket = new PatientSocket();
  open(socket);
  socket.say('{"c":"sync"}');
  await socket.full;
  await say(BIG);
  expect(await socket.closedWith).toEqual([1008, "too much is unread"]);
  const before = socket.sent;
  await say("more");
  expect(socket.sent).toBe(before);
});

test("who comes when a run has just ended is not told that it goes on", async () => {
  const { say, conversation } = await threadWithHistory("hello");
  const socket = new PatientSocket();
  conversation.watch(({ type }) => {
    if (type !== "run_end") return;
    open(socket);
    socket.say('{"c":"sync"}');
  });
  await say("bye");
  await socket.synced;
  expect(socket.last).toContain('"v":{"type":"agent","content":"bye","sender":"main"}');
  socket.close(1000, "enough");
});
