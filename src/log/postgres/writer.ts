import { setTimeout } from "node:timers/promises";
import { backoff } from "../../core/async/backoff.js";
import { newId } from "../../core/ids.js";
import { CommitQueue } from "../commit-queue.js";
import { type BatchRow, batchStatement, chooseBatch, outcomesIn } from "./batch.js";
import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { isTransient, isUnclear, storeFailure, unclear } from "./failures.js";
import { Group, type Item, type Outcome } from "./group.js";

/** How long a batch is sent again while the server cannot be reached. */
const PATIENCE_MS = 10_000;
/** The same if it may have been stored: the answer is worth more. */
const UNCLEAR_PATIENCE_MS = 30_000;
const PAUSES = { firstMs: 50, longestMs: 500 };
const MAX_KEPT_BYTES = 1024 * 1024;
/**
 * The server plans the statements once, not again for each batch, and finds each session by its index: while there are few of
 * them, it would read the whole table.
 */
const PLANS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};
/** The server's warning when its administrator ends the wait for a standby. The commit may be lost with the server. */
const UNREPLICATED = /synchronous replication/;

/** What became of each item. */
type Results = Map<Item, Outcome | Failure>;

interface Failure {
  error: unknown;
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
  readonly #queue: CommitQueue<Item, Outcome>;
  /** Of the batch that was chosen. */
  #groups: Group[] = [];
  #batch = 0;
  /** For the lines of the batch that is being stored. */
  #buffer = Buffer.alloc(0);
  #isUnreplicated = false;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
    const onWarning = (message: string) => {
      if (UNREPLICATED.test(message)) this.#isUnreplicated = true;
    };
    this.#connection = database.connection({ onWarning }, PLANS);
    this.#queue = new CommitQueue({
      choose: (waiting) => {
        const { chosen, groups } = chooseBatch(waiting);
        this.#groups = groups;
        return chosen;
      },
      commit: async (items) => {
        const results: Results = new Map();
        await this.#store(this.#groups, results);
        return (index) => outcomeIn(results, items[index]);
      },
    });
  }

  write(item: Item): Promise<Outcome> {
    return this.#queue.add(item);
  }

  /** Fulfilled when everything was stored that was given to `write`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.whenIdle();
  }

  async #store(groups: readonly Group[], results: Results): Promise<void> {
    const alone: Item[] = [];
    try {
      for (const [group, outcome] of await this.#send(groups)) {
        if (outcome.outcome === "before" && group.items.length > 1) {
          // One of the keys is known. Nothing of the group was stored.
          alone.push(...group.items);
          continue;
        }
        this.counts.appends += group.items.length;
        group.report(outcome, results);
      }
    } catch (error) {
      const items = groups.flatMap((group) => group.items);
      if (items.length > 1 && !isTransient(error) && !(error instanceof UnclearBatch)) {
        // One of them cannot be stored. Nothing of the batch was.
        alone.push(...items);
      } else {
        for (const item of items) results.set(item, { error: this.#failureOf(item, error) });
      }
    }
    for (const item of alone) await this.#store([new Group(item)], results);
  }

  #failureOf({ session }: Item, error: unknown): unknown {
    return error instanceof UnclearBatch
      ? unclear(session, error.cause)
      : storeFailure(this.#database.shown, error);
  }

  async #send(groups: readonly Group[]): Promise<Map<Group, Outcome>> {
    const number = ++this.#batch;
    const statement = batchStatement(this.#id, number, groups, (bytes) => this.#bufferOf(bytes));
    const began = performance.now();
    let isUnclearBatch = false;
    for (let attempt = 0; ; attempt++) {
      try {
        this.#isUnreplicated = false;
        const [row] = await this.#connection.run<BatchRow>(statement);
        if (this.#isUnreplicated) throw new Error("the commit is not on the standby yet");
        return this.#outcomes(row, groups);
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

  /** Buffers outside of the heap make the collector run often, so that one is used again for each batch. */
  #bufferOf(bytes: number): Buffer {
    if (bytes > MAX_KEPT_BYTES) return Buffer.allocUnsafe(bytes);
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(Math.min(2 * bytes, MAX_KEPT_BYTES));
    return this.#buffer.subarray(0, bytes);
  }

  #outcomes(row: BatchRow | undefined, groups: readonly Group[]): Map<Group, Outcome> {
    const outcomes = row === undefined ? undefined : outcomesIn(row, groups);
    this.counts.commits += 1;
    return new Map(groups.map((group, index) => [group, outcomes?.[index] ?? notAnswered()]));
  }
}

class UnclearBatch extends Error {
  constructor(cause: unknown) {
    super("whether the batch was stored is unknown", { cause });
  }
}

function outcomeIn(results: Results, item: Item | undefined): Outcome {
  const result = (item && results.get(item)) ?? notAnswered();
  if ("error" in result) throw result.error;
  return result;
}

function notAnswered(): never {
  throw new Error("the database did not answer for an append");
}
