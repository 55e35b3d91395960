import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { newId } from "../core/ids.js";
import type { Log } from "../log/types.js";
import { InterruptedRuns, type InterruptedRunsOptions } from "./interrupted-runs.js";
import { Runtime } from "./runtime.js";

const path = folderForEachTest();

beforeEach(() => {
  for (const folder of ["runs", "inboxes"]) mkdirSync(path(folder));
});

function openRuntime(): Runtime {
  const runtime = new Runtime({ home: path("home"), config: { model: "demo/echo" } });
  onTestFinished(() => runtime.close());
  return runtime;
}

async function sessionIn({ log }: Runtime): Promise<string> {
  const session = await log.create({ agent: "main" });
  await session.close();
  return session.id;
}

function leftRuns(log: Log, more: Partial<InterruptedRunsOptions> = {}): InterruptedRuns {
  return new InterruptedRuns({
    log,
    folders: [path("runs"), path("inboxes")],
    isBusy: () => false,
    open: () => Promise.reject(new Error("it cannot be opened")),
    onFailure: () => undefined,
    ...more,
  });
}

function mark(id: string): string {
  const file = path("runs", id);
  writeFileSync(file, "");
  return file;
}

async function isFree(log: Log, id: string): Promise<boolean> {
  const lease = await log.lease(id);
  await lease?.release();
  return lease !== undefined;
}

test("a session that cannot be opened is tried again after 2 s, then half as often each time, and every 5 minutes in the end", async () => {
  const runtime = openRuntime();
  const id = await sessionIn(runtime);
  mark(id);
  let now = 0;
  const tried: number[] = [];
  const left = leftRuns(runtime.log, { onFailure: () => void tried.push(now / 1000) });
  for (let looks = 0; looks < 100 && tried.length < 11; looks++) now += (await left.scan(now)).nextScanMs;
  expect(tried).toEqual([0, 2, 6, 14, 30, 62, 126, 254, 510, 810, 1110]);
  expect(await isFree(runtime.log, id)).toBe(true);
});

test("what failed is forgotten when its mark is gone", async () => {
  const runtime = openRuntime();
  const id = await sessionIn(runtime);
  const left = leftRuns(runtime.log);
  mark(id);
  expect((await left.scan(0)).nextScanMs).toBe(2000);
  expect((await left.scan(2000)).nextScanMs).toBe(4000);
  rmSync(path("runs", id));
  expect((await left.scan(6000)).nextScanMs).toBe(30_000);
  mark(id);
  expect((await left.scan(6001)).nextScanMs).toBe(2000);
});

test("a run that another process finishes while its lease is taken is not resumed, and its session is left free", async () => {
  const runtime = openRuntime();
  const id = await sessionIn(runtime);
  const file = mark(id);
  let opened = 0;
  const { log } = runtime;
  const lease: Log["lease"] = async (session) => {
    rmSync(file);
    return log.lease(session);
  };
  const open = () => Promise.reject(new Error(`opened ${++opened} times`));
  expect(await leftRuns(withLease(log, lease), { open }).scan(0)).toEqual({
    resumed: [],
    nextScanMs: 30_000,
  });
  expect(opened).toBe(0);
  expect(await isFree(log, id)).toBe(true);
});

test("a session that was resumed and is left once more is not resumed again at once", async () => {
  const runtime = openRuntime();
  const id = await sessionIn(runtime);
  mark(id);
  const left = leftRuns(runtime.log, { open: (session) => runtime.open(session) });
  const { resumed } = await left.scan(0);
  expect(resumed.map(({ session }) => session.id)).toEqual([id]);
  await resumed[0]?.idle();
  expect(await left.scan(0)).toEqual({ resumed: [], nextScanMs: 2000 });
});

test("all marks of a session that is gone are removed", async () => {
  const { log } = openRuntime();
  const id = newId();
  for (const folder of ["runs", "inboxes"]) writeFileSync(path(folder, id), "");
  const failed: string[] = [];
  const left = leftRuns(log, { onFailure: (session) => void failed.push(session) });
  expect(await left.scan(0)).toEqual({ resumed: [], nextScanMs: 30_000 });
  expect(failed).toEqual([id]);
  expect(["runs", "inboxes"].filter((folder) => existsSync(path(folder, id)))).toEqual([]);
});

function withLease(log: Log, lease: Log["lease"]): Log {
  return {
    create: (...given) => log.create(...given),
    open: (id) => log.open(id),
    find: (key) => log.find(key),
    findForeign: (name) => log.findForeign(name),
    openOrCreate: (...given) => log.openOrCreate(...given),
    list: (known) => log.list(known),
    lease,
    waitForLease: (id, signal) => log.waitForLease(id, signal),
  };
}
