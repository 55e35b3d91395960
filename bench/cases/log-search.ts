import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyUsage } from "dragoman";
import { openCatalogue } from "../../dist/log/catalogue/catalogue.js";
import type { Catalogue } from "../../dist/log/catalogue/types.js";
import type { SessionFile } from "../../dist/log/types.js";
import { openSessions } from "../../dist/runtime/sessions.js";
import type { Case, Host, Row, Work } from "../support/case.js";
import { cpuOf, cpuPerCall } from "../support/cpu.js";
import { sourceText } from "../support/source-text.js";

const SESSIONS = 1_000;
const FULL_SESSIONS = 10_000;
const MESSAGES = 20;
/** The sessions of the long list: a prompt and an answer each. */
const LISTED = 20_000;
const FIRST_AT_MOST_MS = 3000;
const LATER_AT_MOST_MS = 30;
const PAGE = 50;
const BUILD_AT_MOST = 6;
const RARE = "module 321";
const COMMON = "empty file";
/** Versions do not share an index, whose format changes. */
const OWN_FOLDER = Buffer.from(import.meta.url)
  .toString("base64url")
  .slice(-100);

function sessionName(session: number): string {
  return `01BENCH${String(session).padStart(19, "0")}`;
}

function* messages(session: number, count = MESSAGES): Generator<object> {
  const created = Date.UTC(2025, 0, 6) + session * 60_000;
  yield { role: "session", id: sessionName(session), agent: "main", timestamp: created };
  for (let turn = 0; turn < count / 2; turn++) {
    const timestamp = created + turn * 1000;
    const text = `Please look at module ${session} and tell me what “load” does with an empty file.`;
    yield { role: "user", id: `${sessionName(session)}u${turn}`, content: text, timestamp };
    const content = [{ type: "text", text: sourceText(300 + ((session + turn) % 7) * 100) }];
    const model = {
      api: "messages",
      provider: "bench",
      model: "bench",
      usage: emptyUsage(),
      stopReason: "stop",
    };
    yield { role: "assistant", id: `${sessionName(session)}a${turn}`, content, ...model, timestamp };
  }
}

function writeSessions(home: string, count: number): void {
  mkdirSync(join(home, "sessions"));
  for (let session = 0; session < count; session++) {
    const lines = [...messages(session)].map((message) => `${JSON.stringify(message)}\n`);
    writeFileSync(join(home, "sessions", `${sessionName(session)}.jsonl`), lines.join(""));
  }
}

/** A home as the command line has it. */
function writeHome(home: string): void {
  const folder = join(home, "agents", "main", "sessions");
  mkdirSync(folder, { recursive: true });
  for (let session = 0; session < LISTED; session++) {
    const lines = [...messages(session, 2)].map((message) => `${JSON.stringify(message)}\n`);
    writeFileSync(join(folder, `${sessionName(session)}.jsonl`), lines.join(""));
  }
}

async function listPage(catalogue: Catalogue): Promise<unknown> {
  await catalogue.update();
  return catalogue.list({ limit: PAGE });
}

async function firstList(home: string): Promise<number> {
  await rm(join(home, "index"), { recursive: true, force: true });
  const { catalogue } = await openSessions(home);
  try {
    return await cpuOf(() => listPage(catalogue));
  } finally {
    await catalogue.close();
  }
}

async function laterList(home: string): Promise<number> {
  await rm(join(home, "index"), { recursive: true, force: true });
  const { catalogue } = await openSessions(home);
  try {
    await listPage(catalogue);
    await listPage(catalogue);
    return await cpuPerCall(() => listPage(catalogue));
  } finally {
    await catalogue.close();
  }
}

function* files(home: string): Generator<SessionFile> {
  for (const name of readdirSync(join(home, "sessions"))) {
    const path = join(home, "sessions", name);
    const { size, mtimeMs } = statSync(path);
    yield { id: name.slice(0, -6), agent: "main", path, foreign: false, size, modified: mtimeMs };
  }
}

/** Older versions name the lock first. */
const unlocked = {
  withLock: <T>(...given: [...unknown[], () => Promise<T>]): Promise<T> => {
    const [work] = given.slice(-1);
    if (typeof work !== "function") throw new Error("there is nothing to do under a lock");
    return work();
  },
};

function catalogueOf(home: string, indexHome = join(home, OWN_FOLDER)): Catalogue {
  return openCatalogue({
    home: indexHome,
    sessions: async function* () {
      yield* files(home);
    },
    readForeign: () => {
      throw new Error("there are no foreign sessions");
    },
    ...unlocked,
  });
}

function appendOne(home: string): string {
  const path = join(home, "sessions", `${sessionName(7)}.jsonl`);
  appendFileSync(path, `${JSON.stringify({ role: "user", content: "One more.", timestamp: 1 })}\n`);
  return path;
}

/** Reads every page. */
function readAll(home: string, use: (bytes: Buffer) => unknown): number {
  let count = 0;
  for (const { path } of files(home)) {
    use(readFileSync(path));
    count += 1;
  }
  return count;
}

function parseLines(bytes: Buffer): void {
  for (const line of bytes.toString("utf8").split("\n")) if (line !== "") JSON.parse(line);
}

async function build(home: string): Promise<number> {
  const indexHome = await mkdtemp(join(home, "build-"));
  try {
    return await cpuOf(() => catalogueOf(home, indexHome).update());
  } finally {
    await rm(indexHome, { recursive: true });
  }
}

function asked(question: (catalogue: Catalogue, home: string) => Promise<unknown>): Work {
  return async (home) => {
    const catalogue = catalogueOf(home);
    await catalogue.update();
    return cpuPerCall(() => question(catalogue, home));
  };
}

const works: Record<string, Work> = {
  "build, floor": (home) => cpuOf(() => readAll(home, parseLines)),
  build,
  "nothing new, floor": (home) => cpuPerCall(() => [...files(home)].length),
  "nothing new": asked((catalogue) => catalogue.update()),
  "one append, floor": (home) =>
    cpuPerCall(() => {
      const path = appendOne(home);
      return [...files(home)].length + readFileSync(path).length;
    }),
  "one append": asked((catalogue, home) => {
    appendOne(home);
    return catalogue.update();
  }),
  "list, floor": async (home) => {
    const catalogue = catalogueOf(home);
    await catalogue.update();
    const text = JSON.stringify(await catalogue.list());
    return cpuPerCall(() => JSON.parse(text));
  },
  list: asked((catalogue) => catalogue.list()),
  "list of 50": asked((catalogue) => catalogue.list({ limit: 50 })),
  "first list": firstList,
  "later list": laterList,
  "search, floor": (home) => cpuPerCall(() => readAll(home, (bytes) => bytes.includes(RARE))),
  "search, rare": asked((catalogue) => catalogue.search(`"${RARE}"`)),
  "search, common": asked((catalogue) => catalogue.search(COMMON)),
};

/** Groups of jobs to compare, each with its floor first. */
const groups: Record<string, string>[] = [
  { "build, floor": "floor: read and JSON.parse every line", build: "build the index" },
  { "nothing new, floor": "floor: stat every file", "nothing new": "update with nothing new" },
  { "one append, floor": "floor: stat every file, read one", "one append": "update after one append" },
  { "list, floor": "floor: JSON.parse the same list", list: "list all", "list of 50": "list the latest 50" },
  {
    "search, floor": "floor: look for the bytes in every file",
    "search, rare": "search a phrase of one session",
    "search, common": "search words of every session",
  },
];

async function measureLongList(host: Host): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const count = LISTED.toLocaleString("en-US");
  try {
    host.progress(`writing ${count} sessions`);
    writeHome(home);
    const results = await host.compare([
      { label: `${count} sessions: the first list`, work: "first list", argument: home, ours: true },
      { label: `${count} sessions: later lists`, work: "later list", argument: home, ours: true },
    ]);
    return results.map(({ label, work, cpuMs, peakMb }) => {
      const atMost = work === "first list" ? FIRST_AT_MOST_MS : LATER_AT_MOST_MS;
      return { label, figures: { "CPU ms": { value: cpuMs, atMost }, "peak MB": peakMb } };
    });
  } finally {
    await rm(home, { recursive: true });
  }
}

/** The bytes of all files in a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function measure(host: Host): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const count = host.full ? FULL_SESSIONS : SESSIONS;
  try {
    host.progress(`writing ${count} sessions`);
    writeSessions(home, count);
    await catalogueOf(home).update();
    const rows: Row[] = [];
    for (const group of groups) {
      const jobs = Object.entries(group).map(([work, label]) => ({
        label,
        work,
        argument: home,
        ours: !work.endsWith("floor"),
      }));
      for (const { label, work, cpuMs, floors, peakMb } of await host.compare(jobs)) {
        const aim = work === "build" ? { value: floors, atMost: BUILD_AT_MOST } : floors;
        rows.push({ label, figures: { "CPU ms": cpuMs, "× floor": aim, "peak MB": peakMb } });
      }
    }
    const logs = [...files(home)].reduce((sum, { size }) => sum + size, 0);
    rows.push(...(await measureLongList(host)));
    const index = sizeOf(join(home, OWN_FOLDER));
    host.note(
      `${count} sessions of ${MESSAGES} messages: ${Math.round(logs / 1e6)} MB, the index ${Math.round(index / 1e6)} MB.`,
    );
    return rows;
  } finally {
    await rm(home, { recursive: true });
  }
}

export const logSearch: Case = { title: "the index of all sessions", works, measure };
