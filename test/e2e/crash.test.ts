import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentMessage } from "../../src/core/types.js";
import { Runtime } from "../../src/runtime/runtime.js";
import { chance, cutAnswers, expectSound } from "../support/sound-session.js";
import { startWorker, type Worker } from "../support/workers/crash-worker.js";

/** How often a process is killed. Each takes a fifth of a second. */
const KILLS = Number(process.env["DRAGOMAN_TEST_KILLS"] ?? 25);
/** A session is used for so many kills, so that looking at all of it stays cheap. */
const KILLS_PER_SESSION = 10;
const LONGEST_PAUSE_MS = 60;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dragoman-crash-"));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Lets a worker live for a while: until it has sent a few messages, or none, and then a little longer. */
async function live(worker: Worker, random: Generator<number, never>): Promise<void> {
  await worker.ready;
  await worker.hasSent(Math.floor(random.next().value * 3));
  await setTimeout(random.next().value * LONGEST_PAUSE_MS);
}

/** Answers what is left, as the next process would, and looks at all of it. */
async function expectAnswered(key: string, accepted: readonly string[]): Promise<readonly AgentMessage[]> {
  const runtime = new Runtime({ home, config: { model: "demo/script" } });
  try {
    for (const conversation of await runtime.resume()) await conversation.idle();
    const conversation = await runtime.begin({ key });
    const messages = await conversation.messages();
    await expectSound(home, conversation.session.id, messages, accepted);
    return messages;
  } finally {
    await runtime.close();
  }
}

test(
  `a process that is killed ${KILLS} times loses nothing it has accepted`,
  async () => {
    const random = chance(1);
    let cut = 0;
    let interruptedCalls = 0;
    let total = 0;
    for (let killed = 0; killed < KILLS; ) {
      const key = `agent:main:crash:dm:${killed}`;
      const accepted: string[] = [];
      let last: readonly AgentMessage[] = [];
      for (let round = 0; round < KILLS_PER_SESSION && killed < KILLS; round++, killed++) {
        const worker = startWorker(home, key, "a");
        await live(worker, random);
        await worker.kill();
        expect(worker.refused).toEqual([]);
        accepted.push(...worker.accepted);
        last = await expectAnswered(key, accepted);
      }
      total += accepted.length;
      cut += cutAnswers(last);
      interruptedCalls += last.filter((message) => message.role === "toolResult" && message.isError).length;
    }
    // The moments were worth it: answers and tools were really cut in the middle.
    expect({
      total: total > KILLS / 2,
      cutAnswers: cut > 0,
      interruptedCalls: interruptedCalls > 0,
    }).toEqual({
      total: true,
      cutAnswers: true,
      interruptedCalls: true,
    });
  },
  Math.max(600_000, KILLS * 4_000),
);

test(
  "two processes work in one session, and one of them is killed again and again",
  async () => {
    const key = "agent:main:crash:dm:two";
    const random = chance(2);
    const steady = startWorker(home, key, "steady");
    await steady.ready;
    const accepted: string[] = [];
    for (let round = 0; round < KILLS / 12; round++) {
      const worker = startWorker(home, key, "mortal");
      await live(worker, random);
      await worker.kill();
      accepted.push(...worker.accepted);
    }
    await steady.kill();
    expect(steady.accepted.length).toBeGreaterThan(0);
    await expectAnswered(key, [...steady.accepted, ...accepted]);
  },
  Math.max(600_000, KILLS * 4_000),
);

/** Undefined where it can be mounted; otherwise why not. */
function cannotMount(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "only root on Linux can mount a small disk";
  try {
    const folder = mkdtempSync(join(tmpdir(), "dragoman-mount-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
    return undefined;
  } catch {
    return "this system lets nobody mount a small disk";
  }
}

const reason = cannotMount();
if (reason !== undefined) process.stderr.write(`skipped: a full disk: ${reason}\n`);

describe.skipIf(reason !== undefined)("on a disk that fills up", () => {
  let disk: string;

  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), "dragoman-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]);
  });

  afterEach(() => {
    execFileSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  test("nothing is accepted that is not stored, and with room again the session goes on", async () => {
    home = join(disk, "home");
    const key = "agent:main:crash:dm:full";
    const random = chance(3);
    const accepted: string[] = [];
    let refused = 0;
    for (let round = 0; round < 100 && refused < 3; round++) {
      const worker = startWorker(home, key, "a");
      // On a full disk it may not get as far as that; then it says so and ends.
      const began = await live(worker, random).then(
        () => true,
        () => false,
      );
      if (!began) refused += 1;
      await worker.kill();
      accepted.push(...worker.accepted);
      refused += worker.refused.length;
    }
    execFileSync("mount", ["-o", "remount,size=8m", disk]);
    await expectAnswered(key, accepted);
    expect({ accepted: accepted.length > 0, refused: refused > 0 }).toEqual({
      accepted: true,
      refused: true,
    });
  }, 120_000);
});
