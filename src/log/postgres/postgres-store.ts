import type { Catalogue } from "../catalogue/types.js";
import type {
  Blobs,
  Cell,
  CellCodec,
  DueSessions,
  Journal,
  JournalOptions,
  LeaseHolders,
  RunMark,
  SharedLines,
  Store,
  StoreCounts,
  Values,
} from "../store.js";
import type { Lease, Log } from "../types.js";
import { parseAddress } from "./address.js";
import { PostgresArchive } from "./archive.js";
import { PostgresBlobs } from "./blobs.js";
import { PostgresCatalogue } from "./catalogue/catalogue.js";
import { withOtherSources } from "./catalogue/with-other-sources.js";
import { PostgresCell } from "./cell.js";
import { Database } from "./database.js";
import { PostgresDue } from "./due.js";
import { PostgresJournal } from "./journal.js";
import { Leases } from "./leases.js";
import { PostgresLog } from "./log.js";
import { Presence } from "./presence.js";
import { RunMarks } from "./run-marks.js";
import { PostgresLines } from "./shared-lines.js";
import type { StoreParts } from "./store-parts.js";
import { PostgresValues } from "./values.js";
import { Wakes } from "./wakes.js";
import { Writers } from "./writers.js";

/** How long the question whether the store can be used may take. */
const READY_MS = 2_000;

export interface PostgresStoreOptions {
  /** For what the address leaves open, as PostgreSQL's own programs use it: `PGPASSWORD`, `PGSSLMODE` … */
  env: Readonly<Record<string, string | undefined>>;
  /** Opens the index of other programs' sessions, which are files. */
  openOthers(): Catalogue;
}

/** The store in a PostgreSQL database. Any number of processes on any number of computers can use the same one. */
export class PostgresStore implements Store {
  readonly where: string;
  readonly log: Log;
  readonly catalogue: Catalogue;
  readonly due: DueSessions;
  readonly blobs: Blobs;
  readonly holders: LeaseHolders;
  readonly #parts: StoreParts;
  readonly #marks: RunMarks;
  readonly #lines: PostgresLines;

  private constructor(database: Database, openOthers: PostgresStoreOptions["openOthers"]) {
    this.where = database.shown;
    const wakes = new Wakes(database);
    const presence = new Presence(database, wakes);
    const leases = new Leases(database, presence, wakes);
    this.#parts = { database, wakes, presence, leases, writers: new Writers(database) };
    this.#marks = new RunMarks(database, leases);
    this.#lines = new PostgresLines(database);
    this.log = new PostgresLog(this.#parts);
    this.due = new PostgresDue(this.#parts);
    this.blobs = new PostgresBlobs(database);
    this.holders = {
      me: () => presence.join(),
      ofSession: (session) => leases.holderOf({ session }),
      of: (name) => leases.holderOf({ name }),
    };
    this.catalogue = withOtherSources(new PostgresCatalogue(database), openOthers);
  }

  /**
   * Creates or updates its tables, too.
   *
   * @example
   * const store = await PostgresStore.open("postgres://ann:secret@db/dragoman", { env: process.env, openOthers });
   */
  static async open(address: string, { env, openOthers }: PostgresStoreOptions): Promise<PostgresStore> {
    const database = new Database(parseAddress(address, env));
    await database.prepare();
    return new PostgresStore(database, openOthers);
  }

  /** Its raw contents. */
  get archive(): PostgresArchive {
    return new PostgresArchive(this.#parts.database);
  }

  lease(name: string): Promise<Lease | undefined> {
    return this.#parts.leases.tryAcquire({ name });
  }

  waitForLease(name: string, signal: AbortSignal): Promise<Lease> {
    return this.#parts.leases.waitFor({ name }, signal);
  }

  mark(session: string, under: Lease): RunMark {
    return this.#marks.mark(session, under);
  }

  journal<T>(name: string, under: Lease, options: JournalOptions<T>): Promise<Journal<T>> {
    const { database, leases } = this.#parts;
    return PostgresJournal.open({ ...options, name, under, database, leases });
  }

  cell<T>(name: string, codec: CellCodec<T>): Cell<T> {
    return new PostgresCell(name, codec, this.#parts.database);
  }

  values(name: string, under: Lease): Values {
    return new PostgresValues(name, under, this.#parts.database, this.#parts.leases);
  }

  lines(name: string): SharedLines {
    return this.#lines.lines(name);
  }

  lineNames(folder: string): Promise<string[]> {
    return this.#lines.names(folder);
  }

  counts(): StoreCounts {
    return { ...this.#parts.writers.counts, ...this.#parts.leases.counts };
  }

  async ready(): Promise<void> {
    const { database, presence } = this.#parts;
    await database.run({ name: "ready", text: "select 1" }, READY_MS);
    // Fails while commits wait for a standby that is gone: a process remains a member by commits.
    await presence.join();
  }

  async close(): Promise<void> {
    const { database, wakes, presence, leases, writers } = this.#parts;
    await this.catalogue.close();
    await writers.close();
    await this.#lines.close();
    wakes.close();
    await presence.close({ hasLeases: leases.size > 0 });
    await database.close();
  }
}
