import { setTimeout } from "node:timers/promises";
import { backoff } from "../../core/async/backoff.js";
import { newId } from "../../core/ids.js";
import { CommitQueue, type Waiting } from "../commit-queue.js";
import {
  type BatchRow,
  batchStatement,
  type Group,
  groupOf,
  type Item,
  joinGroup,
  type Outcome,
  outcomesIn,
} from "./batch.js";
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

/** What became of an item: its outcome, or the error. */
type Result = () => Outcome;

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
    this.#queue = new CommitQueue({
      choose: chooseBatch,
      commit: async (items) => {
        const results = await this.#store(items);
        return (index) => (results.get(items[index]) ?? fail)();
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

  async #store(items: readonly Item[]): Promise<Map<Item | undefined, Result>> {
    const results = new Map<Item | undefined, Result>();
    const alone: Item[] = [];
    try {
      for (const [group, outcome] of await this.#send(groupsOf(items))) {
        if (outcome.outcome === "before" && group.items.length > 1) {
          alone.push(...group.items);
          continue;
        }
        this.counts.appends += group.items.length;
        for (const [item, one] of outcomesOf(group, outcome)) results.set(item, () => one);
      }
    } catch (error) {
      if (items.length > 1 && !isTransient(error) && !(error instanceof UnclearBatch)) {
        // One of them cannot be stored. Nothing of the batch was.
        alone.push(...items);
      } else {
        for (const item of items) results.set(item, () => fail(this.#failureOf(item, error)));
      }
    }
    for (const item of alone) {
      for (const [one, result] of await this.#store([item])) results.set(one, result);
    }
    return results;
  }

  #failureOf({ session }: Item, error: unknown): unknown {
    return error instanceof UnclearBatch
      ? unclear(session, error.cause)
      : storeFailure(this.#database.shown, error);
  }

  async #send(groups: readonly Group[]): Promise<Map<Group, Outcome>> {
    const number = ++this.#batch;
    const process = groups.flatMap(({ items: [first] }) => first?.process ?? [])[0];
    const statement = batchStatement(this.#id, number, process, groups);
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

  #outcomes(row: BatchRow | undefined, groups: readonly Group[]): Map<Group, Outcome> {
    const outcomes = row === undefined ? undefined : outcomesIn(row, groups);
    this.counts.commits += 1;
    return new Map(groups.map((group, index) => [group, outcomes?.[index] ?? fail()]));
  }
}

class UnclearBatch extends Error {
  constructor(cause: unknown) {
    super("whether the batch was stored is unknown", { cause });
  }
}

function fail(error: unknown = new Error("the database did not answer for an append")): never {
  throw error;
}

/** What an item of a group got. */
function* outcomesOf({ items }: Group, { outcome, at, until }: Outcome): Generator<[Item, Outcome]> {
  let start = at;
  for (const item of items) {
    if (outcome !== "stored") yield [item, { outcome, at, until }];
    else yield [item, { outcome, at: start, until: start + item.bytes }];
    start += item.bytes;
  }
}

/**
 * Of each session, the items from the first one on that the same conditions decide about; the others wait for the next batch.
 * The leases of a batch are held under one id: a process changes its id only after it has lost all of them.
 */
function chooseBatch<W extends Waiting<Item>>(waiting: W[]): W[] {
  const chosen: W[] = [];
  const left: W[] = [];
  const groups = new Map<string, Group | undefined>();
  let process: string | undefined;
  let bytes = 0;
  for (const one of waiting.splice(0, MAX_ITEMS)) {
    const { item } = one;
    const group = groups.get(item.session);
    const isFull = chosen.length > 0 && bytes + item.bytes > MAX_BYTES;
    const isOfOther = item.process !== undefined && process !== undefined && item.process !== process;
    const isBehind = group === undefined && groups.has(item.session);
    if (isFull || isOfOther || isBehind || (group !== undefined && !joinGroup(group, item))) {
      groups.set(item.session, undefined);
      left.push(one);
      continue;
    }
    if (group === undefined) groups.set(item.session, groupOf(item));
    process ??= item.process;
    bytes += item.bytes;
    chosen.push(one);
  }
  waiting.unshift(...left);
  return chosen;
}

/** Sorted, so that processes lock sessions in the same order. */
function groupsOf(items: readonly Item[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const group = groups.get(item.session);
    if (group === undefined) groups.set(item.session, groupOf(item));
    else joinGroup(group, item);
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}
