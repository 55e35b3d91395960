import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { thisProcess } from "./holder.js";
import { Locks } from "./lock.js";

const path = folderForEachTest();

const deadPid = Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));

/** A lock as a process left it. */
function leave(name: string, changes: object): void {
  mkdirSync(path(), { recursive: true });
  writeFileSync(path(name), JSON.stringify({ ...thisProcess(), ...changes }));
}

const dead = { pid: deadPid, nonce: "DEAD" };
const faraway = { pid: 1, host: "faraway", nonce: "FAR" };

/** Without what says which process this is. */
function locksThere(): string[] {
  return readdirSync(path())
    .filter((name) => !name.startsWith("process-"))
    .sort();
}

test("a lock has one holder at a time, and leaves nothing behind", async () => {
  const [one, other] = [new Locks(path()), new Locks(path())];
  expect(await one.tryAcquire("a")).toBe(true);
  expect(await other.tryAcquire("a")).toBe(false);
  expect(await one.tryAcquire("a")).toBe(false);
  expect(await other.tryAcquire("b")).toBe(true);
  await one.release("a");
  expect(await other.tryAcquire("a")).toBe(true);
  await other.release("a");
  await other.release("b");
  expect(locksThere()).toEqual([]);
});

test("whoever waits gets it when it is released", async () => {
  const [one, other] = [new Locks(path()), new Locks(path())];
  await one.acquire("a");
  expect(one.hasWaiter("a")).toBe(false);
  const order: string[] = [];
  const waiting = other.acquire("a").then(() => order.push("other has it"));
  while (!one.hasWaiter("a")) await new Promise(setImmediate);
  order.push("one lets go");
  await one.release("a");
  await waiting;
  expect(order).toEqual(["one lets go", "other has it"]);
  await other.release("a");
  expect(locksThere()).toEqual([]);
});

test("who lets go and wants it again is behind who waits", async () => {
  const [one, other] = [new Locks(path()), new Locks(path())];
  await one.acquire("a");
  const order: string[] = [];
  const others = other.acquire("a").then(async () => {
    order.push("other");
    await other.release("a");
  });
  while (!one.hasWaiter("a")) await new Promise(setImmediate);
  await one.release("a");
  await one.acquire("a");
  order.push("one");
  await others;
  expect(order).toEqual(["other", "one"]);
  await one.release("a");
});

test("the lock of a dead holder is taken over", async () => {
  leave("a", dead);
  const locks = new Locks(path());
  expect(await locks.tryAcquire("a")).toBe(true);
  expect(JSON.parse(readFileSync(path("a"), "utf8")).pid).toBe(process.pid);
  await locks.release("a");
  expect(locksThere()).toEqual([]);
});

test("also when the one who was taking it over died", async () => {
  leave("a", dead);
  leave("a.DEAD", { pid: deadPid, nonce: "THIEF" });
  leave("a.DEAD.THIEF", { pid: deadPid, nonce: "SECOND" });
  leave("a.next", { pid: deadPid, nonce: "WAITER" });
  const locks = new Locks(path());
  await locks.acquire("a");
  expect(locksThere()).toEqual(["a"]);
  await locks.release("a");
});

test("what the dead left is swept up, also if nobody asks for it", async () => {
  leave("process-DEAD", dead);
  leave("other.append", dead);
  leave("gone.append.OLD", dead);
  leave("faraway.run", faraway);
  leave("process-FAR", faraway);
  leave("process-OLD", { ...faraway, nonce: "OLD" });
  utimesSync(path("process-OLD"), 1, 1);
  mkdirSync(path("not-a-lock"));
  const locks = new Locks(path());
  expect(await locks.tryAcquire("a")).toBe(true);
  await locks.release("a");
  expect(locksThere()).toEqual(["faraway.run", "not-a-lock"]);
  const left = ["process-DEAD", "process-FAR", "process-OLD"];
  expect(readdirSync(path()).filter((name) => left.includes(name))).toEqual(["process-FAR"]);
});

test("many who find the lock of a dead holder: one at a time has it", async () => {
  leave("a", dead);
  let inside = 0;
  let most = 0;
  const turns = Array.from({ length: 20 }, async () => {
    const locks = new Locks(path());
    await locks.acquire("a");
    inside += 1;
    most = Math.max(most, inside);
    await new Promise(setImmediate);
    inside -= 1;
    await locks.release("a");
  });
  await Promise.all(turns);
  expect({ inside, most, left: locksThere() }).toEqual({ inside: 0, most: 1, left: [] });
});

test("a living holder is waited for, and named when that takes too long", async () => {
  const [one, other] = [new Locks(path()), new Locks(path(), { patienceMs: 0 })];
  await one.acquire("a");
  await expect(other.acquire("a")).rejects.toMatchObject({
    code: "log/locked",
    message: expect.stringContaining(`is held by process ${process.pid} on `),
    details: { pid: process.pid },
  });
  await one.release("a");
  await other.acquire("a");
  await other.release("a");
  expect(locksThere()).toEqual([]);
});

test("a holder nobody can see counts as dead when it has shown no sign of life for long enough", async () => {
  leave("a", faraway);
  let now = 0;
  const locks = new Locks(path(), { now: () => now });
  expect(await locks.tryAcquire("a")).toBe(false);
  now = 29_000;
  expect(await locks.tryAcquire("a")).toBe(false);
  utimesSync(path("a"), 1, 1);
  now = 31_000;
  expect(await locks.tryAcquire("a")).toBe(false);
  now = 60_000;
  expect(await locks.tryAcquire("a")).toBe(false);
  now = 62_000;
  expect(await locks.tryAcquire("a")).toBe(true);
  await locks.release("a");
});

test("a file that is no lock of ours is left alone, and named", async () => {
  mkdirSync(path(), { recursive: true });
  writeFileSync(path("a"), "what is this?");
  const locks = new Locks(path(), { patienceMs: 0 });
  await expect(locks.acquire("a")).rejects.toMatchObject({
    code: "log/locked",
    message: `"${path("a")}" is held by an unknown process`,
  });
  expect(readFileSync(path("a"), "utf8")).toBe("what is this?");
});

test("a folder that somebody deleted is made again", async () => {
  const locks = new Locks(path("locks"));
  await locks.acquire("a");
  await locks.release("a");
  rmSync(path("locks"), { recursive: true });
  await locks.acquire("b");
  expect(readdirSync(path("locks")).filter((name) => name === "b")).toEqual(["b"]);
  await locks.release("b");
});

test("a lock that changed hands while its holder was found dead stays with its new holder", async () => {
  leave("a", faraway);
  let now = 0;
  let changeHands = () => {};
  const clock = () => {
    // The clock is read when the holder is judged, before its lock is removed.
    changeHands();
    return now;
  };
  const locks = new Locks(path(), { now: clock });
  expect(await locks.tryAcquire("a")).toBe(false);
  now = 31_000;
  changeHands = () => {
    changeHands = () => {};
    leave("a", { nonce: "QUICKER" });
  };
  expect(await locks.tryAcquire("a")).toBe(false);
  expect(JSON.parse(readFileSync(path("a"), "utf8"))).toMatchObject({ nonce: "QUICKER" });
  expect(locksThere()).toEqual(["a"]);
});

test("a process that slept for longer than others believe in it does not remove the lock of the next holder", async () => {
  let now = 0;
  const locks = new Locks(path(), { now: () => now });
  await locks.acquire("stolen");
  await locks.acquire("kept");
  rmSync(path("stolen"));
  leave("stolen", faraway);
  now = 30_001;
  await locks.release("stolen");
  await locks.release("kept");
  expect(locksThere()).toEqual(["stolen"]);
  expect(JSON.parse(readFileSync(path("stolen"), "utf8"))).toMatchObject({ nonce: "FAR" });
});
