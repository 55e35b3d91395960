import { DragomanError } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { writeJson } from "../../core/json/write.js";
import { CommitQueue } from "../commit-queue.js";
import type { Journal, JournalOptions } from "../store.js";
import type { Lease } from "../types.js";
import type { Database } from "./database.js";
import type { Leases } from "./leases.js";

/** A journal is compacted when it has twice the records it needs, plus this many. */
const SPARE_RECORDS = 1_000;
const PAGE = 1_000;

export interface PostgresJournalOptions<T> extends JournalOptions<T> {
  name: string;
  under: Lease;
  database: Database;
  leases: Leases;
}

/** A journal in a database. Statements can be sent again: each names the state it expects, and its own effect is recognised. */
export class PostgresJournal<T> implements Journal<T> {
  readonly #options: PostgresJournalOptions<T>;
  readonly #queue: CommitQueue<readonly T[]>;
  #records = 0;
  #generation = 0;
  /** With more records than this it is compacted. */
  #maxRecords = 0;

  private constructor(options: PostgresJournalOptions<T>) {
    this.#options = options;
    this.#queue = new CommitQueue({
      commit: async (batch) => {
        await this.#store(batch.flat());
        return () => undefined;
      },
      afterBatch: async () => {
        if (this.#records > this.#maxRecords) await this.#compact();
      },
    });
  }

  /** Fulfilled when everything in it was applied. */
  static async open<T>(options: PostgresJournalOptions<T>): Promise<PostgresJournal<T>> {
    options.leases.require(options.under);
    const journal = new PostgresJournal(options);
    await journal.#readAll();
    return journal;
  }

  append(records: readonly T[]): Promise<void> {
    return this.#queue.add(records);
  }

  async close(): Promise<void> {
    await this.#queue.whenIdle();
  }

  async #readAll(): Promise<void> {
    const { name, database } = this.#options;
    const state = await database.first<{ records: number; generation: number }>({
      text: "select records::float8 as records, generation::float8 as generation from journal where name = $1",
      values: [name],
    });
    this.#records = state?.records ?? 0;
    this.#generation = state?.generation ?? 0;
    for (let after = 0; after < this.#records; ) {
      const rows = await database.run<{ n: number; record: string }>({
        name: "journal",
        text: `select n::float8 as n, record from journal_record where name = $1 and n > $2 order by n limit ${PAGE}`,
        values: [name, after],
      });
      for (const { n, record } of rows) this.#applyRecord(n, record);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.n;
    }
    this.#maxRecords = 2 * [...this.#options.snapshot()].length + SPARE_RECORDS;
  }

  #applyRecord(n: number, text: string): void {
    const { name, read, apply, onNote } = this.#options;
    const record = parsed(text, read);
    if (record === undefined) onNote(`${name}: record ${n} cannot be read and is skipped`);
    else apply(record);
  }

  async #store(records: readonly T[]): Promise<void> {
    await this.#call("journal_append", this.#records, records);
    this.#records += records.length;
    for (const record of records) this.#options.apply(record);
  }

  /** If this fails, the records stay, and compaction is tried again when there are more. */
  async #compact(): Promise<void> {
    const { name, onNote, snapshot } = this.#options;
    const records = [...snapshot()];
    this.#maxRecords = 2 * Math.max(records.length, this.#records) + SPARE_RECORDS;
    try {
      await this.#call("journal_replace", this.#generation, records);
      this.#generation += 1;
      this.#records = records.length;
      this.#maxRecords = 2 * records.length + SPARE_RECORDS;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      onNote(`${name} could not be compacted: ${error.message}`);
    }
  }

  async #call(procedure: string, state: number, records: readonly T[]): Promise<void> {
    const { name, under, database, leases } = this.#options;
    const { session, name: lease, process, fence } = leases.require(under);
    const lines = records.map((record) => writeJson(record));
    const row = await database.first<{ result: boolean | null }>({
      name: procedure,
      text: `select ${procedure}($1, $2, $3, $4, $5, $6, $7) as result`,
      values: [name, session, lease, process, fence, state, lines],
    });
    if (row?.result === false) throw leases.reject(under);
    if (row?.result !== true) {
      throw new DragomanError("log/replaced", `the journal ${name} was changed by another process`, {
        hint: "restart this gateway: it reads the journal again",
      });
    }
  }
}

function parsed<T>(text: string, read: (value: unknown) => T | undefined): T | undefined {
  try {
    return read(parseJson(text));
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}
