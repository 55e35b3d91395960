import { setTimeout } from "node:timers/promises";
import { backoff } from "../../core/async/backoff.js";
import type { RunMark } from "../store.js";
import type { Lease } from "../types.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { isTransient, storeFailure } from "./failures.js";
import type { LeaseColumns, Leases } from "./leases.js";

const PAUSES = { firstMs: 50, longestMs: 500 };

interface Operation {
  /** Grows with each operation of this process. */
  n: number;
  lease: LeaseColumns;
  what: "open" | "append" | "clear" | "remove";
  text: string;
  resolve(isAllowed: boolean): void;
  reject(error: unknown): void;
}

/**
 * The marks of this process's runs. What arrives of all answers within a moment is one statement, whose commit does not wait
 * for the disk: the text of a mark may be lost with the power.
 */
export class RunMarks {
  readonly #database: Database;
  readonly #leases: Leases;
  readonly #connection: Connection;
  readonly #queue: Operation[] = [];
  #running: Promise<void> | undefined;
  #last = 0;

  constructor(database: Database, leases: Leases) {
    this.#database = database;
    this.#leases = leases;
    this.#connection = database.connection({}, { synchronous_commit: "off" });
  }

  mark(session: string, under: Lease): RunMark {
    const write = async (what: Operation["what"], text = "") => {
      const lease = this.#leases.require(under, session);
      if (!(await this.#enqueue(lease, what, text))) throw this.#leases.reject(under);
    };
    return {
      read: () => this.#read(session),
      open: () => write("open"),
      append: (text) => write("append", text),
      clear: () => write("clear"),
      remove: () => write("remove"),
      close: async () => undefined,
    };
  }

  async #read(session: string): Promise<string | undefined> {
    await this.#running;
    const row = await this.#database.first<{ running: boolean; text: string }>({
      name: "read mark",
      text: `select running, coalesce((select string_agg(t.text, '' order by t.fence, t.n) from mark_text t where t.session = s.id), '') as text
        from session s where s.id = $1`,
      values: [session],
    });
    return row?.running === true ? row.text : undefined;
  }

  #enqueue(lease: LeaseColumns, what: Operation["what"], text: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ n: ++this.#last, lease, what, text, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await new Promise(setImmediate);
      const [first] = this.#queue;
      const others = this.#queue.findIndex(({ lease }) => lease.process !== first?.lease.process);
      const batch = this.#queue.splice(0, others === -1 ? this.#queue.length : others);
      try {
        const allowed = await this.#send(batch);
        for (const { n, resolve } of batch) resolve(allowed.has(n));
      } catch (error) {
        for (const { reject } of batch) reject(storeFailure(this.#database.shown, error));
      }
    }
    this.#running = undefined;
  }

  /**
   * Can be sent again: an operation has a number, and is done once. It is sent again as long as this process has the lease:
   * a caller that repeats a text does so under another number, and the text would be there twice.
   */
  async #send(batch: readonly Operation[]): Promise<Set<number>> {
    for (let attempt = 0; ; attempt++) {
      try {
        const rows = await this.#connection.run<{ n: number }>({
          name: "mark",
          text: "select n::float8 as n from mark_batch($1, $2, $3, $4, $5, $6) n",
          values: [
            batch[0]?.lease.process,
            batch.map(({ n }) => n),
            batch.map(({ lease }) => lease.session),
            batch.map(({ lease }) => lease.fence),
            batch.map(({ what }) => what),
            batch.map(({ text }) => text),
          ],
        });
        return new Set(rows.map(({ n }) => n));
      } catch (error) {
        const pause = backoff(attempt, PAUSES);
        const isHeld = !this.#database.isClosed && batch.some(({ lease }) => this.#leases.isHeld(lease));
        if (!isTransient(error) || !isHeld) throw error;
        await setTimeout(pause);
      }
    }
  }
}
