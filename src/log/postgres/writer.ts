import { setTimeout } from "node:timers/promises";
import { backoff } from "../../core/async/backoff.js";
import { newId } from "../../core/ids.js";
import { batchStatement, fittingItems, type Item, type Outcome } from "./batch.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { isTransient, isUnclear, storeFailure, unclear } from "./failures.js";

const MAX_ITEMS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** How long a batch is sent again while the server cannot be reached. */
const PATIENCE_MS = 10_000;
/** The same if it may have been stored: the answer is worth more. */
const UNCLEAR_PATIENCE_MS = 30_000;
const PAUSES = { firstMs: 50, longestMs: 500 };
/** The server's warning when its administrator ends the wait for a standby. The commit may be lost with the server. */
const UNREPLICATED = /synchronous replication/;

interface Pending {
  item: Item;
  process: string | undefined;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Stores the appends of this process, all that wait in one statement and one commit. A batch has a number: if the connection
 * ends before the answer arrives, the same batch is sent again, and the database stores it once.
 */
export class Writer {
  readonly counts = { appends: 0, commits: 0, repeatedCommits: 0 };
  readonly #id = newId();
  readonly #database: Database;
  readonly #connection: Connection;
  readonly #queue: Pending[] = [];
  #running: Promise<void> | undefined;
  #batch = 0;
  #isUnreplicated = false;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
    this.#connection = database.connection({
      onWarning: (message) => {
        if (UNREPLICATED.test(message)) this.#isUnreplicated = true;
      },
    });
  }

  /** @param process under whose id the item's lease is held */
  write(item: Item, process?: string): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, process, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Fulfilled when everything was stored that was given to `write`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      // A caller whose append just resolved, and who appends again at once, joins this batch.
      await new Promise(setImmediate);
      const items = this.#queue.slice(0, MAX_ITEMS).map(({ item }) => item);
      const pending = this.#queue.splice(0, fittingItems(items, MAX_BYTES));
      for (const [process, group] of byProcess(pending)) await this.#store(group, process);
    }
    this.#running = undefined;
  }

  async #store(pending: readonly Pending[], process: string | undefined): Promise<void> {
    try {
      const outcomes = await this.#send(pending, process);
      this.counts.appends += pending.length;
      for (const [index, { resolve }] of pending.entries()) {
        const outcome = outcomes.get(index + 1);
        if (outcome === undefined) throw new Error("the database did not answer for an append");
        resolve(outcome);
      }
    } catch (error) {
      if (pending.length === 1 || isTransient(error) || error instanceof UnclearBatch) {
        for (const { item, reject } of pending) reject(this.#failureOf(item, error));
      } else {
        // One of them cannot be stored. Nothing of the batch was.
        for (const one of pending) await this.#store([one], process);
      }
    }
  }

  #failureOf({ session }: Item, error: unknown): unknown {
    return error instanceof UnclearBatch
      ? unclear(session, error.cause)
      : storeFailure(this.#database.shown, error);
  }

  async #send(pending: readonly Pending[], process: string | undefined): Promise<Map<number, Outcome>> {
    const number = ++this.#batch;
    const items = pending.map(({ item }) => item);
    const statement = batchStatement(this.#id, number, process, items);
    const began = performance.now();
    let isUnclearBatch = false;
    for (let attempt = 0; ; attempt++) {
      try {
        this.#isUnreplicated = false;
        const rows = await this.#connection.run<Outcome & { item: number }>(statement);
        if (this.#isUnreplicated) throw new Error("the commit is not on the standby yet");
        this.counts.commits += 1;
        return new Map(rows.map(({ item, ...outcome }) => [item, outcome]));
      } catch (error) {
        isUnclearBatch ||= isUnclear(error);
        const patience = isUnclearBatch ? UNCLEAR_PATIENCE_MS : PATIENCE_MS;
        const pause = backoff(attempt, PAUSES);
        const isLate = this.#isClosed || performance.now() + pause - began > patience;
        if (!isTransient(error) && !isUnclearBatch) throw error;
        if (isLate || !isTransient(error)) throw isUnclearBatch ? new UnclearBatch(error) : error;
        this.counts.repeatedCommits += 1;
        await setTimeout(pause);
      }
    }
  }
}

class UnclearBatch extends Error {
  constructor(cause: unknown) {
    super("whether the batch was stored is unknown", { cause });
  }
}

/** Nearly always one group: a process changes its id only after it has lost all leases. The order is kept. */
function* byProcess(pending: readonly Pending[]): Generator<[string | undefined, Pending[]]> {
  let group: Pending[] = [];
  let process: string | undefined;
  for (const one of pending) {
    if (one.process !== undefined && process !== undefined && one.process !== process) {
      yield [process, group];
      group = [];
      process = undefined;
    }
    process ??= one.process;
    group.push(one);
  }
  if (group.length > 0) yield [process, group];
}
