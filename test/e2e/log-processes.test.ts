import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { beforeAll, expect, test } from "vitest";
import type { AgentMessage } from "../../src/core/types.js";
import { openHome } from "../../src/log/files/home.js";
import type { Recovery } from "../../src/log/files/torn.js";
import { requireBuild } from "../support/cli/run-cli.js";
import { folderForEachTest } from "../support/temporary-folder.js";

const path = folderForEachTest();
beforeAll(requireBuild);

const dist = new URL("../../dist/log/", import.meta.url);

interface Child {
  process: ChildProcess;
  /** What it has printed since the last time, when there is a line. */
  line(): Promise<string>;
  /** Its exit code, or the signal it died of. */
  ended: Promise<number | string>;
}

/** Runs a script with the built log; `home` is the folder of the test. */
function start(script: string, ...args: string[]): Child {
  const program = `
    const { openHome } = await import("${dist}index.js");
    const { HomeLog } = await import("${dist}files/home.js");
    const { Locks } = await import("${dist}locks/lock.js");
    const fs = await import("node:fs");
    const home = process.argv[1];
    const args = process.argv.slice(2);
    const user = (content) => ({ role: "user", content, timestamp: 1 });
    const die = () => { process.kill(process.pid, "SIGKILL"); return new Promise(() => {}); };
    ${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, path(), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    line: async () => (await lines.next()).value ?? "the end of its output",
    ended: new Promise((resolve) => {
      child.on("close", (code, signal) => resolve(code ?? signal ?? "nothing"));
    }),
  };
}

/** Lets those begin together that wait for it. */
async function go(children: readonly Child[]): Promise<void> {
  for (const { line } of children) expect(await line()).toBe("ready");
  for (const { process: child } of children) child.stdin?.write("go\n");
}

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

/** Without what says which process this is. */
function locksThere(): string[] {
  return readdirSync(path("locks")).filter((name) => !name.startsWith("process-"));
}

test("two processes append 500 messages each: every one is there once, in its order, on a line of its own", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  const writer = `
    const session = await openHome(home).open(args[0]);
    console.log("ready");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    for (let index = 0; index < 500; index += 5) {
      await Promise.all([0, 1, 2, 3, 4].map((more) => session.append([user(args[1] + (index + more))])));
    }
    await session.close();
    process.exit();`;
  const children = ["a", "b"].map((name) => start(writer, session.id, name));
  await go(children);
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0]);
  const contents: string[] = [];
  let bad = 0;
  for await (const { message } of session.read({ onBadLine: () => (bad += 1) })) {
    if (message.role === "user") contents.push(`${message.content}`);
  }
  expect(bad).toBe(0);
  for (const name of ["a", "b"]) {
    expect(contents.filter((content) => content.startsWith(name))).toEqual(
      Array.from({ length: 500 }, (_, index) => `${name}${index}`),
    );
  }
  expect(contents).toHaveLength(1000);
  await session.close();
  expect(locksThere()).toEqual([]);
});

test("many race for the lock of one that died, half of them die with it: never two have it", async () => {
  const holder = start(`
    await new Locks(home + "/locks").acquire("a");
    await die();`);
  expect(await holder.ended).toBe("SIGKILL");
  expect(locksThere()).toEqual(["a"]);
  const thief = `
    const locks = new Locks(home + "/locks");
    const journal = fs.openSync(home + "/journal", "a");
    console.log("ready");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    for (let round = 0; round < 5; round++) {
      await locks.acquire("a");
      fs.writeSync(journal, "enter " + args[0] + "\\n");
      await new Promise(setImmediate);
      fs.writeSync(journal, "leave " + args[0] + "\\n");
      if (args[1] === "dies" && round === 2) await die();
      await locks.release("a");
    }
    process.exit();`;
  const thieves = Array.from({ length: 8 }, (_, index) =>
    start(thief, `${index}`, index % 2 === 0 ? "dies" : "lives"),
  );
  await go(thieves);
  const ends = await Promise.all(thieves.map(({ ended }) => ended));
  expect(ends).toEqual(["SIGKILL", 0, "SIGKILL", 0, "SIGKILL", 0, "SIGKILL", 0]);
  const journal = readFileSync(path("journal"), "utf8").trimEnd().split("\n");
  expect(journal).toHaveLength(2 * (4 * 3 + 4 * 5));
  const pairs = journal.filter((_, index) => index % 2 === 0);
  expect(journal).toEqual(pairs.flatMap((enter) => [enter, enter.replace("enter", "leave")]));
});

test("a process killed in the middle of an append: another one goes on, without what was torn", async () => {
  const told: Recovery[] = [];
  const session = await openHome(path(), { onRecovery: (recovery) => told.push(recovery) }).create({
    agent: "main",
  });
  await session.append([{ ...user("before"), id: "m1" }]);
  const victim = start(
    `
    const { open } = await import("node:fs/promises");
    const openFile = async (file, flags) => {
      const handle = await open(file, flags);
      return Object.assign(handle, {
        write: async (bytes) => { fs.appendFileSync(file, bytes.subarray(0, 40)); await die(); },
      });
    };
    const session = await new HomeLog(home, { openFile }).open(args[0]);
    await session.append([user("x".repeat(100))]);`,
    session.id,
  );
  expect(await victim.ended).toBe("SIGKILL");
  await session.append([{ ...user("after"), id: "m2" }]);
  expect((await session.last(9)).map(({ message }) => message.id)).toEqual([session.id, "m1", "m2"]);
  expect(told.map(({ bytes }) => bytes)).toEqual([40]);
  await session.close();
  expect(locksThere()).toEqual([]);
});

test("a lease goes with its process", async () => {
  const log = openHome(path());
  const session = await log.create({ agent: "main" });
  const runner = start(
    `
    const lease = await openHome(home).lease(args[0]);
    console.log(lease === undefined ? "refused" : "running");
    setInterval(() => {}, 1000);`,
    session.id,
  );
  expect(await runner.line()).toBe("running");
  expect(await log.lease(session.id)).toBeUndefined();
  await session.append([user("meanwhile")]);
  runner.process.kill("SIGKILL");
  await runner.ended;
  const lease = await log.lease(session.id);
  expect(lease).toBeDefined();
  await lease?.release();
  await session.close();
});

test("a tail sees what another process appends", async () => {
  const session = await openHome(path()).create({ agent: "main" });
  const writer = start(
    `
    const session = await openHome(home).open(args[0]);
    for (const word of ["one", "two", "three"]) await session.append([user(word)]);
    await session.close();`,
    session.id,
  );
  const stop = new AbortController();
  const seen: unknown[] = [];
  for await (const { message } of session.tail({ from: await session.end(), signal: stop.signal })) {
    seen.push("content" in message ? message.content : message.role);
    if (seen.length === 3) stop.abort();
  }
  expect(seen).toEqual(["one", "two", "three"]);
  expect(await writer.ended).toBe(0);
  await session.close();
});

test("processes that ask for the same key get the same session, and leave nothing behind", async () => {
  const script = `
    const log = openHome(home);
    console.log("ready");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    const session = await log.openOrCreate({ agent: "main", key: "agent:main:main" });
    await session.append([user("hello")]);
    console.log(session.id);
    process.exit();`;
  const children = Array.from({ length: 4 }, () => start(script));
  await go(children);
  const ids = await Promise.all(children.map(({ line }) => line()));
  await Promise.all(children.map(({ ended }) => ended));
  expect(new Set(ids).size).toBe(1);
  expect(readdirSync(path("agents", "main", "sessions"))).toEqual([`${ids[0]}.jsonl`]);
  expect(readdirSync(path("locks"))).toEqual([]);
});
