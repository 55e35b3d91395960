import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Inbound, Traits } from "../../../src/channels/types.js";

/**
 * A desk in a process of its own. Its platform is with whoever started it: messages come over the process's channel, and so do
 * the answers to its requests.
 */
const script = (traits: Partial<Traits>) => `
import { startDesk } from "${new URL("../../../dist/gateway/channels/desk.js", import.meta.url)}";
import { Runtime } from "${new URL("../../../dist/runtime/index.js", import.meta.url)}";
const home = process.argv[2];
const runtime = new Runtime({ home, config: { model: "demo/script" } });
const asked = new Map();
let requests = 0;
const ask = (request) => new Promise((resolve, reject) => {
  asked.set(++requests, { resolve, reject });
  process.send({ request: requests, ...request });
});
let receive;
process.on("message", async (message) => {
  if (message.done !== undefined) return asked.get(message.done).resolve({ id: message.id });
  await receive(message.inbound);
  process.send({ received: message.inbound.id });
});
const channel = {
  title: "Far away",
  traits: ${JSON.stringify({ debounceMs: 5, mostBytes: 1000, ...traits })},
  outgoing: ({ text = "" }) => (text.match(/[^]{1,40}/g) ?? []).map((native) => ({ native })),
  async open(options) {
    receive = options.receive;
    options.onState({ state: "connected", me: { id: "99", name: "bot" } });
    return {
      send: (place, { native }) => ask({ chat: place.chat, text: native }),
      edit: (place, id, { native }) => ask({ chat: place.chat, edits: id, text: native }),
      fetch: () => Promise.reject(new Error("none")),
      close: async () => undefined,
    };
  },
};
const note = () => undefined;
const desk = startDesk({
  runtime, home, env: {},
  config: { telegram: { default: { direct: "open" } } },
  logger: { info: note, warn: note, error: (fields, text) => console.error(text, fields) },
  metrics: { count: note, gauge: note },
  channels: { telegram: async () => channel },
});
const look = setInterval(async () => {
  const [status] = await desk.status();
  if (receive !== undefined && status.state === "connected") {
    clearInterval(look);
    process.send({ ready: true });
  }
}, 1);
setInterval(async () => process.send({ status: { ...(await desk.status())[0], running: runtime.running().length > 0 } }), 20);
void runtime.resume();
`;

export interface Request {
  request: number;
  chat: string;
  text: string;
  edits?: string;
}

export interface WorkerStatus {
  waiting: number;
  unsent: number;
  unknown: number;
  running: boolean;
}

/** What a platform does about the requests of a worker. Undefined: it took it, and the response is lost. */
export type Platform = (request: Request) => { id: string } | undefined;

export class ChannelWorker {
  readonly #child: ChildProcess;
  readonly ready: Promise<void>;
  readonly received = new Set<string>();
  status: WorkerStatus | undefined;
  readonly #watchers = new Set<() => void>();
  /** Fulfilled when it has been killed. */
  readonly ended: Promise<unknown>;

  constructor(file: string, home: string, platform: Platform) {
    const child = fork(file, [home], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#child = child;
    this.ended = once(child, "exit");
    this.ready = new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error("the worker ended before it was ready")));
      child.on("message", (message: Record<string, unknown> & Partial<Request>) => {
        if (message["ready"] === true) resolve();
        if (typeof message["received"] === "string") this.received.add(message["received"]);
        if (message["status"] !== undefined) this.status = readStatus(message["status"]);
        const { request, chat = "", text = "", edits } = message;
        if (request !== undefined) {
          const taken = platform({ request, chat, text, ...(edits === undefined ? {} : { edits }) });
          if (taken !== undefined && child.connected)
            child.send({ done: request, id: taken.id }, () => undefined);
        }
        for (const watcher of [...this.#watchers]) watcher();
      });
    });
    this.ready.catch(() => undefined);
  }

  say(inbound: Inbound): void {
    if (this.#child.connected) this.#child.send({ inbound }, () => undefined);
  }

  /** Fulfilled as soon as it is so, as far as messages of the worker can tell. */
  async until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  /** Whether nothing is left to do, as it said last. */
  get settled(): boolean {
    return this.status?.waiting === 0 && this.status.unsent === 0 && !this.status.running;
  }

  /** Without a chance to do anything about it. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}

function readStatus(value: unknown): WorkerStatus | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return { waiting: 0, unsent: 0, unknown: 0, running: false, ...value };
}

/** The program of the workers, in a folder of its own. */
export function workerProgram(traits: Partial<Traits> = {}): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "dragoman-worker-"));
  const file = join(folder, "worker.mjs");
  writeFileSync(file, script(traits));
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
