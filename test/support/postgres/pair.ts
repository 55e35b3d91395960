import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type PostgresServer, startPostgres, startStandby } from "./server.js";

/** A commit is acknowledged when the standby has it. */
const SETTINGS = { synchronous_standby_names: "*", wal_keep_size: "256MB" };

/** A primary and its synchronous standby. */
export class PostgresPair {
  #primary: PostgresServer;
  #standby: PostgresServer;

  private constructor(primary: PostgresServer, standby: PostgresServer) {
    this.#primary = primary;
    this.#standby = standby;
  }

  static async start(): Promise<PostgresPair> {
    const primary = await startPostgres(SETTINGS);
    const pair = new PostgresPair(primary, await startStandby(primary, SETTINGS));
    await pair.#untilSynchronous();
    return pair;
  }

  get primary(): PostgresServer {
    return this.#primary;
  }

  get hosts(): [string, string] {
    return [this.#standby.host, this.#primary.host];
  }

  /** Kills the primary, which starts again after a time. */
  async restart(afterMs = 0): Promise<void> {
    await this.#primary.kill();
    await setTimeout(afterMs);
    await this.#primary.start();
    await this.#untilSynchronous();
  }

  /**
   * Kills the primary and promotes the standby, which gets a standby of its own. `onChange` is called when the hosts have
   * changed.
   */
  async failOver(onChange: () => void): Promise<void> {
    const former = this.#primary;
    await former.kill();
    await ask(this.#standby, "select pg_promote(true, 60)");
    this.#primary = this.#standby;
    this.#standby = await startStandby(this.#primary, SETTINGS);
    onChange();
    await Promise.all([this.#untilSynchronous(), former.stop()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#primary.stop(), this.#standby.stop()]);
  }

  async #untilSynchronous(): Promise<void> {
    const text = "select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'";
    while ((await ask(this.#primary, text)) === 0) await setTimeout(50);
  }
}

/** How many rows it answers. */
async function ask({ url }: PostgresServer, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows.length;
}
