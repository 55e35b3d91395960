import { setTimeout } from "node:timers/promises";
import type { QueryResultRow } from "pg";
import { backoff } from "../../core/async/backoff.js";
import type { Address } from "./address.js";
import { Connection, type ConnectionOptions, type Statement } from "./connection.js";
import { connector } from "./driver.js";
import { isTransient, storeFailure } from "./failures.js";
import { migrate } from "./migrate.js";

/** Connections for statements that need no connection of their own. */
const SHARED = 3;
/** How long a statement is repeated while the server cannot be reached. */
const PATIENCE_MS = 8_000;
const PAUSES = { firstMs: 50, longestMs: 500 };
/** No setting of the server's administrator may cancel a statement: a cancelled commit may be stored. */
const SETTINGS = { statement_timeout: "0", lock_timeout: "0", idle_in_transaction_session_timeout: "0" };
/** The default is for rotating disks: a search for a rare word would read every message instead of the index. */
const SHARED_SETTINGS = { ...SETTINGS, random_page_cost: "1.1" };

/** The connections of one process to its store. */
export class Database {
  readonly address: Address;
  readonly #shared: Connection[];
  readonly #own: Connection[] = [];
  #isClosed = false;

  constructor(address: Address) {
    this.address = address;
    const connect = connector(address, SHARED_SETTINGS);
    this.#shared = Array.from({ length: SHARED }, () => new Connection(connect));
  }

  /** Names the store for people. */
  get shown(): string {
    return this.address.shown;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Creates or updates the tables. */
  async prepare(): Promise<void> {
    try {
      const client = await connector(this.address, SETTINGS)();
      try {
        await migrate(client, this.address.schema, this.shown);
      } finally {
        await client.end();
      }
    } catch (error) {
      throw storeFailure(this.shown, error);
    }
  }

  /** A connection for one purpose. It is closed with the others. */
  connection(options: ConnectionOptions = {}, settings: Readonly<Record<string, string>> = {}): Connection {
    const connection = new Connection(connector(this.address, { ...SETTINGS, ...settings }), options);
    this.#own.push(connection);
    return connection;
  }

  /**
   * Runs a statement that has the same effect if it is executed twice, and repeats it while the server cannot be reached.
   * Throws a DragomanError.
   */
  async run<R extends QueryResultRow>(statement: Statement, patienceMs = PATIENCE_MS): Promise<R[]> {
    const end = performance.now() + patienceMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#leastBusy.run<R>(statement);
      } catch (error) {
        const pause = backoff(attempt, PAUSES);
        if (this.#isClosed || !isTransient(error) || performance.now() + pause > end) {
          throw storeFailure(this.shown, error);
        }
        await setTimeout(pause);
      }
    }
  }

  /** The first row. */
  async first<R extends QueryResultRow>(statement: Statement): Promise<R | undefined> {
    return (await this.run<R>(statement))[0];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#shared, ...this.#own].map((connection) => connection.close()));
  }

  /** An open one, if none of the others has less to do. */
  get #leastBusy(): Connection {
    const [first, ...others] = this.#shared;
    if (first === undefined) throw new Error("there are no connections");
    const load = ({ pending, isOpen }: Connection) => 2 * pending + (isOpen ? 0 : 1);
    return others.reduce((best, other) => (load(other) < load(best) ? other : best), first);
  }
}
