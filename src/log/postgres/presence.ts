import type { Client } from "pg";
import { newId } from "../../core/ids.js";
import type { Connection, Statement } from "./connection.js";
import type { Database } from "./database.js";
import { storeFailure } from "./failures.js";
import type { Wakes } from "./wakes.js";

/** How long a process that does not renew counts as alive. By the database's clock. */
const LIFE_MS = 6_000;
const BEAT_MS = 2_000;
/** After this time without a renewal a process gives up its leases, before others can have them. By its own clock. */
const STOP_MS = 4_000;
/** How often processes look whether others have lost their connections, and how long a connection may be lost. */
const PROBE_MS = 250;
const GONE_MS = 1_000;

interface Member {
  id: string;
  /** Undefined until the row exists. */
  slot: number | undefined;
}

/**
 * This process among those that use the store: one row, renewed every two seconds, whatever leases it has. A connection holds
 * a lock of the server, which ends with the process: others notice its end within a second, long before the row expires.
 */
export class Presence {
  readonly #database: Database;
  readonly #wakes: Wakes;
  readonly #connection: Connection;
  readonly #now: () => number;
  readonly #lossListeners = new Set<() => void>();
  #member: Member | undefined;
  /** Ids that this process has given up with all their leases. */
  #former: string[] = [];
  #joining: Promise<string> | undefined;
  /** When the last successful renewal began. */
  #renewed = 0;
  #beaten = 0;
  #isBeating = false;
  #isLocked = false;
  #isLocking = false;
  #isProbing = false;
  /** Since when the connections of other processes have been lost. */
  #lostSince = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #listeners = 0;
  #watchers = 0;
  #isClosed = false;

  /** @param now in milliseconds; only differences count */
  constructor(database: Database, wakes: Wakes, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#wakes = wakes;
    this.#now = now;
    this.#connection = database.connection({
      onConnect: (client) => this.#onConnect(client),
      onNotification: ({ payload }) => wakes.receive(payload ?? ""),
      onLost: () => this.#onLost(),
      silenceMs: STOP_MS,
    });
  }

  /** The id under which this process has leases; undefined while it has none. */
  get id(): string | undefined {
    return this.#member?.id;
  }

  /** The id under which this process can acquire leases. */
  join(): Promise<string> {
    this.#start();
    this.#joining ??= this.#join().finally(() => {
      this.#joining = undefined;
    });
    return this.#joining;
  }

  /** Calls back when all leases of this process may be lost. Returns a function that unsubscribes. */
  onLoss(listener: () => void): () => void {
    this.#lossListeners.add(listener);
    return () => this.#lossListeners.delete(listener);
  }

  /** All leases are lost: the store considers this process dead. */
  leave(): void {
    if (this.#member === undefined) return;
    this.#former.push(this.#member.id);
    this.#member = undefined;
    for (const listener of [...this.#lossListeners]) listener();
  }

  /** From now on, notifications arrive. Returns a function that stops it. */
  listen(): () => void {
    this.#listeners += 1;
    this.#start();
    return () => {
      this.#listeners -= 1;
    };
  }

  /** From now on, the ends of other processes are noticed, and notifications arrive. Returns a function that stops it. */
  watch(): () => void {
    this.#watchers += 1;
    this.#start();
    return () => {
      this.#watchers -= 1;
    };
  }

  /** Leases are left to expire: what they protect may still be in progress. */
  async close({ hasLeases }: { hasLeases: boolean }): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const member = this.#member;
    this.#member = undefined;
    if (member === undefined || hasLeases) return;
    const text = "delete from process where id = $1";
    await this.#database.run({ text, values: [member.id] }, 0).catch(() => undefined);
  }

  #start(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setInterval(() => this.#tick(), PROBE_MS).unref();
    this.#tick();
  }

  #tick(): void {
    const now = this.#now();
    if (this.#member !== undefined && now - this.#renewed > STOP_MS) this.leave();
    if (this.#member !== undefined && now - this.#beaten >= BEAT_MS && !this.#isBeating) void this.#beat();
    if (this.#member !== undefined && !this.#isLocked) void this.#lock();
    if (this.#watchers > 0 && !this.#isProbing) void this.#probe();
    else if (this.#listeners > 0) this.#connection.open().catch(() => undefined);
  }

  async #join(): Promise<string> {
    if (this.#member !== undefined) return this.#member.id;
    const id = newId();
    const began = this.#now();
    try {
      const rows = await this.#connection.run<{ slot: number }>({
        text: `with swept as (
              delete from process where id = any ($2::text[]) or until < clock_timestamp() - interval '1 hour'),
            writers as (delete from writer where used < clock_timestamp() - interval '1 day')
          insert into process (id, until) values ($1, clock_timestamp() + ${LIFE_MS} * interval '1 ms') returning slot`,
        values: [id, this.#former],
      });
      this.#former = [];
      const member = { id, slot: rows[0]?.slot };
      this.#member = member;
      this.#renewed = began;
      this.#beaten = began;
      this.#isLocked = false;
      await this.#lock();
      return id;
    } catch (error) {
      throw storeFailure(this.#database.shown, error);
    }
  }

  /**
   * Never waits for the lock: the server may not have noticed yet that the former connection has ended. A process that looks
   * for free locks has it for a moment, too.
   */
  #lockOf({ slot }: Member): Statement {
    const text = "select pg_advisory_unlock_all(), pg_try_advisory_lock(hashtext($1), $2) as locked";
    return { text, values: [this.#wakes.channel, slot] };
  }

  async #lock(): Promise<void> {
    const member = this.#member;
    if (member === undefined || this.#isLocking) return;
    this.#isLocking = true;
    try {
      const [row] = await this.#connection.run<{ locked: boolean }>(this.#lockOf(member));
      if (this.#member === member) this.#isLocked = row?.locked === true;
    } catch {
      // Tried again soon.
    } finally {
      this.#isLocking = false;
    }
  }

  #onLost(): void {
    this.#isLocked = false;
    this.#lostSince.clear();
  }

  async #onConnect(client: Client): Promise<void> {
    await client.query(`listen ${this.#wakes.channel}`);
    this.#isLocked = false;
    this.#lostSince.clear();
    this.#wakes.wakeAll();
  }

  async #beat(): Promise<void> {
    const member = this.#member;
    if (member === undefined) return;
    const began = this.#now();
    this.#isBeating = true;
    this.#beaten = began;
    try {
      const rows = await this.#connection.run({
        name: "beat",
        text: `update process set until = clock_timestamp() + ${LIFE_MS} * interval '1 ms'
          where id = $1 and until > clock_timestamp() and not gone returning 1`,
        values: [member.id],
      });
      if (this.#member !== member) return;
      if (rows.length === 1) this.#renewed = began;
      else this.leave();
    } catch {
      // Tried again soon. If it does not succeed in time, the leases are given up.
      this.#beaten = this.#now() - BEAT_MS + PROBE_MS;
    } finally {
      this.#isBeating = false;
    }
  }

  /** The lock of a process that has lost its connection is free. It gets a second to connect again. */
  async #probe(): Promise<void> {
    this.#isProbing = true;
    try {
      const rows = await this.#connection.run<{ id: string; until: string; is_lost: boolean }>({
        name: "probe",
        text: `select id, until::text as until, pg_try_advisory_xact_lock_shared(hashtext($1), slot) as is_lost from process
          where until > clock_timestamp() and not gone and id is distinct from $2`,
        values: [this.#wakes.channel, this.#member?.id ?? null],
      });
      const now = this.#now();
      const since = new Map<string, number>();
      for (const { id, until, is_lost: isLost } of rows) {
        if (!isLost) continue;
        const first = this.#lostSince.get(id) ?? now;
        since.set(id, first);
        if (now - first >= GONE_MS) await this.#declareGone(id, until);
      }
      this.#lostSince = since;
    } catch {
      this.#lostSince.clear();
    } finally {
      this.#isProbing = false;
    }
  }

  async #declareGone(id: string, until: string): Promise<void> {
    const rows = await this.#connection.run({
      text: "update process set gone = true where id = $1 and until = $2::timestamptz returning 1",
      values: [id, until],
    });
    if (rows.length === 1) this.#wakes.emit("gone");
  }
}
