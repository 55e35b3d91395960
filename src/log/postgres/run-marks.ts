import { setTimeout } from "node:timers/promises";
import { backoff } from "../../core/async/backoff.js";
import { CommitQueue, type Waiting } from "../commit-queue.js";
import type { RunMark } from "../store.js";
import type { Lease } from "../types.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { isTransient, storeFailure } from "./failures.js";
import type { LeaseColumns, Leases } from "./leases.js";

const PATIENCE_MS = 3_000;
const PAUSES = { firstMs: 50, longestMs: 500 };

interface Operation {
  /** Grows with each operation of this process. */
  n: number;
  lease: LeaseColumns;
  what: "open" | "append" | "clear" | "remove";
  text: string;
}

/**
 * The marks of this process's runs. What arrives of all answers within a moment is one statement, whose commit does not wait
 * for the disk: the text of a mark may be lost with the power.
 */
export class RunMarks {
  readonly #database: Database;
  readonly #leases: Leases;
  readonly #connection: Connection;
  /** The results are whether the operations were allowed. */
  readonly #queue = new CommitQueue<Operation, boolean>({
    choose: chooseOfOneProcess,
    commit: async (batch) => {
      const allowed = await this.#send(batch).catch((error: unknown) => {
        throw storeFailure(this.#database.shown, error);
      });
      return (index) => allowed.has(batch[index]?.n ?? 0);
    },
  });
  #last = 0;

  constructor(database: Database, leases: Leases) {
    this.#database = database;
    this.#leases = leases;
    this.#connection = database.connection({}, { synchronous_commit: "off" });
  }

  mark(session: string, under: Lease): RunMark {
    const write = async (what: Operation["what"], text = "") => {
      const lease = this.#leases.require(under, session);
      const isAllowed = await this.#queue.add({ n: ++this.#last, lease, what, text });
      if (!isAllowed) throw this.#leases.reject(under);
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
    await this.#queue.whenIdle();
    const row = await this.#database.first<{ running: boolean; text: string }>({
      name: "read mark",
      text: `select running, coalesce((select string_agg(t.text, '' order by t.fence, t.n) from mark_text t where t.session = s.id), '') as text
        from session s where s.id = $1`,
      values: [session],
    });
    return row?.running === true ? row.text : undefined;
  }

  /** Can be sent again: an operation has a number, and is done once. */
  async #send(batch: readonly Operation[]): Promise<Set<number>> {
    const end = performance.now() + PATIENCE_MS;
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
        if (!isTransient(error) || performance.now() + pause > end) throw error;
        await setTimeout(pause);
      }
    }
  }
}

/** A process changes its id only after it has lost all leases. */
function chooseOfOneProcess<W extends Waiting<Operation>>(waiting: W[]): W[] {
  const process = waiting[0]?.item.lease.process;
  const others = waiting.findIndex(({ item }) => item.lease.process !== process);
  return waiting.splice(0, others === -1 ? waiting.length : others);
}
