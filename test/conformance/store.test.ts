import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, onTestFinished } from "vitest";
import { FileStore } from "../../src/log/files/file-store.js";
import { thisProcess } from "../../src/log/locks/holder.js";
import { MemoryStore } from "../../src/log/memory/memory-store.js";
import { openPostgres } from "../support/postgres/open-store.js";
import { newPostgresAddress } from "../support/postgres/shared.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { describeAppends } from "./store/append-laws.js";
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

  "a store in PostgreSQL": async () => {
    const address = await newPostgresAddress();
    const opened: { close(): Promise<void> }[] = [];
    const sql = new pg.Client({ connectionString: address.replace(/\?.*/, "") });
    await sql.connect();
    const schema = new URL(address).searchParams.get("schema");
    await sql.query(`set search_path = ${schema}`);
    onTestFinished(async () => {
      await Promise.all(opened.map((store) => store.close()));
      await sql.end();
    });
    return {
      open: async () => {
        const store = await openPostgres(address);
        opened.push(store);
        return store;
      },
      // What a killed process leaves: its row has time left, and the lock of its connection is free.
      leaseAndDie: async (session) => {
        await sql.query(
          "insert into process (id, until) values ('dead', clock_timestamp() + interval '6 s')",
        );
        await sql.query("update session set holder = 'dead', fence = fence + 1 where id = $1", [session]);
      },
      // The process was suspended for so long that its row expired.
      expire: async (session) => {
        await sql.query(
          "update process set until = clock_timestamp() where id = (select holder from session where id = $1)",
          [session],
        );
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
