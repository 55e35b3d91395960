import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openHome } from "dragoman/log";
import type { Case, Host, Row } from "../support/case.js";
import { cpuPerCall } from "../support/cpu.js";
import { sizeName } from "../support/growth.js";

const SIZES = [1_000_000, 10_000_000, 100_000_000];
const LISTED = 10_000;
const LAST = 50;
const BATCH = 1000;
/** The aim for operations whose cost should not depend on the size: ten times the size, at most this many times the cost. */
const GROWTH_AT_MOST = 1.5;

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const header = (id: string) => `${JSON.stringify({ role: "session", id, agent: "main", timestamp: 1 })}\n`;
const line = `${JSON.stringify({ role: "user", content: "x".repeat(930), timestamp: 1, id: ID })}\n`;
const fileOf = (home: string, id: string) => join(home, "agents", "main", "sessions", `${id}.jsonl`);

function* lines(bytes: number): Generator<string> {
  yield header(ID);
  for (let written = 0; written < bytes; written += BATCH * line.length) yield line.repeat(BATCH);
}

async function writeSession(home: string, bytes: number): Promise<void> {
  await mkdir(dirname(fileOf(home, ID)), { recursive: true });
  await pipeline(lines(bytes), createWriteStream(fileOf(home, ID)));
}

async function openSession(home: string): Promise<number> {
  const log = openHome(home);
  return cpuPerCall(async () => (await log.open(ID)).close());
}

async function readLast(home: string): Promise<number> {
  const session = await openHome(home).open(ID);
  return cpuPerCall(() => session.last(LAST));
}

async function readAll(home: string): Promise<number> {
  const session = await openHome(home).open(ID);
  return cpuPerCall(async () => {
    for await (const _ of session.read());
  });
}

async function list(home: string): Promise<number> {
  const log = openHome(home);
  return cpuPerCall(async () => {
    for await (const _ of log.list());
  });
}

async function measure(host: Host): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  try {
    const rows: Row[] = [];
    const smaller = new Map<string, number>();
    for (const size of SIZES) {
      const home = join(folder, `${size}`);
      host.progress(`writing ${sizeName(size)}`);
      await writeSession(home, size);
      const results = await host.compare([
        { label: `${sizeName(size)}  open and close`, work: "openSession", argument: home, ours: true },
        {
          label: `${sizeName(size)}  the last ${LAST} messages`,
          work: "readLast",
          argument: home,
          ours: true,
        },
        { label: `${sizeName(size)}  all messages`, work: "readAll", argument: home, ours: true },
      ]);
      for (const { label, work, cpuMs } of results) {
        const kind = label.slice(sizeName(size).length);
        const before = smaller.get(kind);
        smaller.set(kind, cpuMs);
        const growth = before === undefined ? undefined : cpuMs / before;
        rows.push({ label, figures: { "CPU ms": cpuMs, ...growthFigure(work, growth) } });
      }
    }
    rows.push(...(await measureList(host, join(folder, "list"))));
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function growthFigure(work: string, growth: number | undefined): Row["figures"] {
  if (growth === undefined) return {};
  return { "× a tenth of the size": work === "readAll" ? growth : { value: growth, atMost: GROWTH_AT_MOST } };
}

async function measureList(host: Host, home: string): Promise<Row[]> {
  host.progress(`writing ${LISTED} sessions`);
  await mkdir(dirname(fileOf(home, ID)), { recursive: true });
  for (let index = 0; index < LISTED; index++) {
    const id = `${index}`.padStart(ID.length, "0");
    await writeFile(fileOf(home, id), header(id) + line);
  }
  const label = `a list of ${LISTED.toLocaleString("en-US")} sessions`;
  const results = await host.compare([{ label, work: "list", argument: home, ours: true }]);
  return results.map(({ label, cpuMs }) => ({ label, figures: { "CPU ms": cpuMs } }));
}

export const logRead: Case = {
  title: "sessions on disk, of messages of 1 KB",
  works: { openSession, readLast, readAll, list },
  measure,
};
