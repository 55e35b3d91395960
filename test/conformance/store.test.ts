import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { FileStore } from "../../src/log/files/file-store.js";
import { thisProcess } from "../../src/log/locks/holder.js";
import { MemoryStore } from "../../src/log/memory/memory-store.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { describeAppends } from "./store/append-laws.js";
import { describeHolders } from "./store/holder-laws.js";
import { describeKept } from "./store/kept-laws.js";
import { describeSessions } from "./store/session-laws.js";
import type { StoreMaker } from "./store/tested-store.js";

const stores: Record<string, StoreMaker> = {
  "a store in memory": async () => {
    const store = new MemoryStore();
    return {
      open: async () => store,
      leaseAndDie: async (session) => {
        await store.log.lease(session);
        store.leases.revoke(session);
      },
      expire: async (session) => store.leases.revoke(session),
    };
  },

  "a store of files": async () => {
    const home = temporaryFolder();
    let asleepMs = 0;
    const now = () => Date.now() + asleepMs;
    return {
      open: async () => new FileStore({ home, now, readForeign: async function* () {} }),
      leaseAndDie: async (session) => leaveDeadLock(join(home, "locks"), session),
      // The process was suspended for so long that others considered it dead.
      expire: async (session) => {
        leaveDeadLock(join(home, "locks"), session);
        asleepMs += 60_000;
      },
    };
  },
};

const deadPid = Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));

/** The lease's lock, as a process left it that is dead by now. */
function leaveDeadLock(locks: string, session: string): void {
  mkdirSync(locks, { recursive: true });
  writeFileSync(join(locks, "~dead"), JSON.stringify({ ...thisProcess(), pid: deadPid }));
  renameSync(join(locks, "~dead"), join(locks, `${session}.run`));
}

describe.each(Object.entries(stores))("%s", (_, make) => {
  describe("sessions", () => describeSessions(make));
  describe("appends", () => describeAppends(make));
  describe("what else is kept", () => describeKept(make));
});

describe.each(Object.entries(stores).filter(([name]) => name !== "a store in memory"))(
  "%s: holders of leases",
  (_, make) => describeHolders(make),
);
