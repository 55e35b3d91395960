import { mkdtemp, open, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHome } from "dragoman/log";
import { type AppendLoad, line, message, timeOf } from "../support/append-load.js";
import type { Case, Host, Row } from "../support/case.js";

/** With a fraction of the floor's appends per second. */
const loads: (AppendLoad & { atLeast: number })[] = [
  { name: "1 session", sessions: 1, callers: 1, appends: 2_000, atLeast: 0.85 },
  { name: "1 session, 64 callers", sessions: 1, callers: 64, appends: 300, atLeast: 0.5 },
  { name: "64 sessions", sessions: 64, callers: 1, appends: 150, atLeast: 0.85 },
];

/** The time of a rewritten file grows with the square of this number. */
const REWRITTEN = 300;

const written = Buffer.from(`${line}\n`);

/** How to append a message to a session. */
interface Session {
  append(): Promise<unknown>;
  close(): Promise<void>;
}

/** Creates a number of sessions. */
type Contender = (folder: string, sessions: number) => Promise<Session[]>;

/** Group commit alone: messages that arrive while the disk is busy are written with one write and one fdatasync. */
async function bare(folder: string, sessions: number): Promise<Session[]> {
  return Promise.all(
    Array.from({ length: sessions }, async (_, index) => {
      const file = await open(join(folder, `${index}`), "a");
      let waiting: (() => void)[] = [];
      let busy = false;
      const run = async () => {
        busy = true;
        await undefined;
        while (waiting.length > 0) {
          const batch = waiting;
          waiting = [];
          await file.write(batch.length === 1 ? written : Buffer.concat(batch.map(() => written)));
          await file.datasync();
          for (const resolve of batch) resolve();
        }
        busy = false;
      };
      const append = () =>
        new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          if (!busy) run().catch(reject);
        });
      return { append, close: () => file.close() };
    }),
  );
}

async function dragoman(folder: string, sessions: number): Promise<Session[]> {
  const log = openHome(folder);
  return Promise.all(
    Array.from({ length: sessions }, async () => {
      const session = await log.create({ agent: "main" });
      return { append: () => session.append([message]), close: () => session.close() };
    }),
  );
}

/** As Cline stores it: one JSON file, rewritten at every turn and not synced. */
async function rewriting(folder: string, sessions: number): Promise<Session[]> {
  return Array.from({ length: sessions }, (_, index) => {
    const path = join(folder, `${index}.json`);
    const messages: unknown[] = [];
    let last = Promise.resolve();
    const append = () => {
      messages.push(message);
      last = last.then(async () => {
        await writeFile(`${path}.tmp`, JSON.stringify(messages));
        await rename(`${path}.tmp`, path);
      });
      return last;
    };
    return { append, close: () => last };
  });
}

/** @param atMost appends of each caller, after as many others; the result is the time of the load at this pace */
function work(contender: Contender, atMost?: number) {
  return async (argument: string) => {
    const given: AppendLoad = JSON.parse(argument);
    const load = { ...given, appends: Math.min(given.appends, atMost ?? given.appends) };
    const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
    try {
      const all = await contender(folder, load.sessions);
      const time = await timeOf(
        load,
        all.map(({ append }) => append),
        atMost,
      );
      for (const session of all) await session.close();
      return (time * given.appends) / load.appends;
    } finally {
      await rm(folder, { recursive: true });
    }
  };
}

async function measure(host: Host): Promise<Row[]> {
  const rows: Row[] = [];
  for (const load of loads) {
    const argument = JSON.stringify(load);
    const results = await host.compare([
      { label: `${load.name}  floor: write and fdatasync`, work: "bare", argument },
      { label: `${load.name}  dragoman`, work: "dragoman", argument, ours: true },
      ...(load.callers * load.sessions === 1
        ? [{ label: `${load.name}  one JSON file, rewritten`, work: "rewriting", argument }]
        : []),
    ]);
    for (const { label, work: name, cpuMs, floors } of results) {
      const speed = 1 / floors;
      rows.push({
        label,
        figures: {
          "appends per s": (load.sessions * load.callers * load.appends) / (cpuMs / 1000),
          "speed of floor": name === "dragoman" ? { value: speed, atLeast: load.atLeast } : speed,
        },
      });
    }
  }
  host.note(
    `Wall-clock times. The rewritten file grows to ${2 * REWRITTEN} messages, and is not synced: a power failure loses it.`,
  );
  return rows;
}

export const logAppend: Case = {
  title: "messages of 1 KB appended to sessions, each acknowledged when it is on disk",
  works: { bare: work(bare), dragoman: work(dragoman), rewriting: work(rewriting, REWRITTEN) },
  measure,
};
