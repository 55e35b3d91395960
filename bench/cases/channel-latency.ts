import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Inbound } from "../../dist/channels/types.js";
import { startDesk } from "../../dist/gateway/channels/desk.js";
import { Runtime } from "../../dist/runtime/runtime.js";
import type { Case, Host, Row } from "../support/case.js";

const MESSAGES = 300;
const WARM_UP = 50;
const OVERHEAD_AT_MOST_MS = 4;
/** The number of writes that must be on disk, one after another, before the answer is sent. */
const SYNCS = 5;

function inbound(count: number): Inbound {
  const chat = "7";
  return {
    message: { From: chat, To: chat, ChatType: "direct", Text: "Hi there", MessageId: String(count) },
    id: String(count),
    place: { kind: "direct", chat },
    sender: { id: chat },
    attachments: [],
    addressed: true,
  };
}

/** What older versions name differently. */
const olderChannel = { name: "telegram" };

/** For each message, the milliseconds from its arrival to the request that answers it. */
async function throughTheDesk(home: string): Promise<number[]> {
  const runtime = new Runtime({ home, config: { model: "demo/echo" } });
  const nothing = () => undefined;
  let receive: (message: Inbound) => Promise<void> = async () => undefined;
  let connected: () => void = nothing;
  const open = new Promise<void>((resolve) => {
    connected = resolve;
  });
  let answered: () => void = nothing;
  const logger = { info: nothing, warn: nothing, error: nothing };
  const olderOptions = { notes: logger };
  const desk = startDesk({
    runtime,
    home,
    config: { telegram: { default: { direct: "open" } } },
    logger,
    ...olderOptions,
    metrics: { count: nothing, gauge: nothing },
    env: {},
    channels: {
      telegram: async () => ({
        ...olderChannel,
        title: "In memory",
        traits: { debounceMs: 0, mostBytes: 0 },
        packages: [],
        nativeForm: "nothing",
        normalise: () => ({ why: "it says nothing" }),
        outgoing: ({ text }) => [{ native: text }],
        open: async (options) => {
          receive = options.receive;
          connected();
          return {
            send: async () => {
              answered();
              return { id: "1" };
            },
            fetch: () => Promise.reject(new Error("there are no files")),
            close: async () => undefined,
          };
        },
      }),
    },
  });
  await open;
  const times: number[] = [];
  for (let count = 0; count < WARM_UP + MESSAGES; count++) {
    const began = performance.now();
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    await receive(inbound(count));
    await answer;
    if (count >= WARM_UP) times.push(performance.now() - began);
  }
  await desk.close();
  await runtime.close();
  return times;
}

async function syncs(folder: string): Promise<number[]> {
  const file = await open(join(folder, "floor"), "a");
  const line = Buffer.from(`${"x".repeat(300)}\n`);
  const times: number[] = [];
  for (let count = 0; count < WARM_UP + MESSAGES; count++) {
    const began = performance.now();
    for (let sync = 0; sync < SYNCS; sync++) {
      await file.write(line);
      await file.datasync();
    }
    if (count >= WARM_UP) times.push(performance.now() - began);
  }
  await file.close();
  return times;
}

async function inFolder(work: (folder: string) => Promise<number[]>): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(host: Host): Promise<Row[]> {
  const results = await host.compare([
    { label: `floor: ${SYNCS} × fdatasync`, work: "floor", argument: "" },
    { label: "through the desk", work: "desk", argument: "", ours: true },
  ]);
  return results.map(({ label, work, cpuMs: middle, lateMs = Number.NaN }) => ({
    label,
    figures: {
      "median ms": work === "floor" ? middle : { value: middle, atMost: OVERHEAD_AT_MOST_MS },
      "99th of 100 ms": lateMs,
    },
  }));
}

export const channelLatency: Case = {
  title: "from a platform's message to the answer of demo/echo, by the clock",
  works: {
    floor: () => inFolder(syncs),
    desk: () => inFolder((folder) => throughTheDesk(join(folder, "home"))),
  },
  measure,
};
