import { fenced, noSession } from "../refusals.js";
import type { Lease } from "../types.js";
import type { Database } from "./database.js";
import { isTransient } from "./failures.js";
import { onceWoken } from "./once-woken.js";
import type { Presence } from "./presence.js";
import type { Topic, Wakes } from "./wakes.js";

/** How a statement names a lease. */
export interface LeaseColumns {
  /** One of the two is null. */
  session: string | null;
  name: string | null;
  process: string;
  fence: number;
}

/** What a lease is of: a session, or anything else by name. */
export type Subject = { session: string } | { name: string };

interface Held {
  lease: Lease;
  columns: LeaseColumns;
  lost: AbortController;
}

/** Leases of this process. The database decides who has one; this class knows which of them this process has. */
export class Leases {
  readonly counts = { leases: 0, takeovers: 0, lostLeases: 0 };
  readonly #database: Database;
  readonly #presence: Presence;
  readonly #wakes: Wakes;
  readonly #held = new Map<string, Held>();
  readonly #acquiring = new Map<string, Promise<Lease | undefined>>();
  readonly #columns = new WeakMap<Lease, LeaseColumns>();

  constructor(database: Database, presence: Presence, wakes: Wakes) {
    this.#database = database;
    this.#presence = presence;
    this.#wakes = wakes;
    presence.onLoss(() => {
      for (const held of [...this.#held.values()]) this.#lose(held);
    });
  }

  /** One request at a time for each subject: the database grants a process its own lease again. */
  async tryAcquire(subject: Subject): Promise<Lease | undefined> {
    const key = keyOf(subject);
    for (let other = this.#acquiring.get(key); other !== undefined; other = this.#acquiring.get(key)) {
      await other.catch(() => undefined);
    }
    if (this.#held.has(key)) return undefined;
    const acquiring = this.#tryAcquire(subject).finally(() => this.#acquiring.delete(key));
    this.#acquiring.set(key, acquiring);
    return acquiring;
  }

  async #tryAcquire(subject: Subject): Promise<Lease | undefined> {
    for (;;) {
      const process = await this.#presence.join();
      const fence = await this.#acquire(subject, process);
      // The store considers this process dead, for example after it was suspended.
      if (fence === -1) {
        if (this.#presence.id === process) this.#presence.leave();
        continue;
      }
      if (fence === 0) return undefined;
      return this.#hold(subject, process, fence);
    }
  }

  async waitFor(subject: Subject, signal: AbortSignal): Promise<Lease> {
    const unwatch = this.#presence.watch();
    const topic = topicOf(subject);
    const change = onceWoken((wake) => this.#onFree(topic, wake));
    try {
      for (;;) {
        change.reset();
        signal.throwIfAborted();
        const lease = await this.tryAcquire(subject);
        if (lease !== undefined) return lease;
        await change.wait(signal);
      }
    } finally {
      unwatch();
      change.stop();
    }
  }

  /** The living process that has a lease. */
  async holderOf(subject: Subject): Promise<string | undefined> {
    const [table, key, name] =
      "session" in subject ? ["session", "id", subject.session] : ["lease", "name", subject.name];
    const row = await this.#database.first<{ holder: string }>({
      name: `holder_of_${table}`,
      text: `select holder from ${table} where ${key} = $1 and is_alive(holder, false)`,
      values: [name],
    });
    return row?.holder;
  }

  has(session: string): boolean {
    return this.#held.has(keyOf({ session }));
  }

  get size(): number {
    return this.#held.size;
  }

  /** Whether this process has this lease, as far as it knows. */
  isHeld(columns: LeaseColumns): boolean {
    return this.#held.get(keyOf(subjectOf(columns)))?.columns === columns;
  }

  /** How statements name a lease. Throws `log/fenced` for one that is lost or released, as far as this process knows. */
  require(lease: Lease, session?: string): LeaseColumns {
    const columns = this.#columns.get(lease);
    const name = columns?.session ?? columns?.name ?? "another store";
    const isHeld = columns !== undefined && this.#held.get(keyOf(subjectOf(columns)))?.lease === lease;
    if (!isHeld || (session !== undefined && columns.session !== session)) throw fenced(session ?? name);
    return columns;
  }

  /** The database has refused what was stored under this lease. */
  reject(lease: Lease): Error {
    const columns = this.#columns.get(lease);
    const held = columns === undefined ? undefined : this.#held.get(keyOf(subjectOf(columns)));
    if (held?.lease === lease) this.#lose(held);
    return fenced(columns?.session ?? columns?.name ?? "another store");
  }

  #onFree(topic: Topic, wake: () => void): () => void {
    const stops = [topic, "gone" as const].map((one) => this.#wakes.on(one, wake));
    return () => {
      for (const stop of stops) stop();
    };
  }

  async #acquire(subject: Subject, process: string): Promise<number> {
    const [procedure, name] =
      "session" in subject ? ["acquire_session", subject.session] : ["acquire_lease", subject.name];
    const text = `select fence::float8 as fence, is_left as "isLeft" from ${procedure}($1, $2)`;
    const values = [name, process];
    const row = await this.#database.first<{ fence: number | null; isLeft: boolean }>({
      name: procedure,
      text,
      values,
    });
    if (row?.fence == null) throw noSession(name);
    if (row.fence > 0 && row.isLeft) this.counts.takeovers += 1;
    return row.fence;
  }

  #hold(subject: Subject, process: string, fence: number): Lease | undefined {
    // The process gave up its leases while the database was asked: this one has ended, too.
    if (this.#presence.id !== process) return undefined;
    const columns: LeaseColumns = { session: null, name: null, ...subject, process, fence };
    const lost = new AbortController();
    const lease: Lease = { fence, lost: lost.signal, release: () => this.#release(lease) };
    this.#held.set(keyOf(subject), { lease, columns, lost });
    this.#columns.set(lease, columns);
    this.counts.leases += 1;
    return lease;
  }

  #lose({ lease, columns, lost }: Held): void {
    const key = keyOf(subjectOf(columns));
    if (this.#held.get(key)?.lease !== lease) return;
    this.#held.delete(key);
    this.counts.lostLeases += 1;
    lost.abort(fenced(columns.session ?? columns.name ?? ""));
    this.#wakes.emit(topicOf(subjectOf(columns)));
  }

  async #release(lease: Lease): Promise<void> {
    const columns = this.#columns.get(lease);
    if (columns === undefined) return;
    const subject = subjectOf(columns);
    if (this.#held.get(keyOf(subject))?.lease !== lease) return;
    this.#held.delete(keyOf(subject));
    const { process, fence } = columns;
    const [table, id] = "session" in subject ? ["session", "id"] : ["lease", "name"];
    const text = `update ${table} set holder = null where ${id} = $1 and holder = $2 and fence = $3`;
    const values = [columns.session ?? columns.name, process, fence];
    // As long as this process counts as alive, no one else can have a lease that is not released.
    while (this.#presence.id === process) {
      try {
        await this.#database.run({ name: `release ${table}`, text, values });
        break;
      } catch (error) {
        if (!isTransient(error)) throw error;
      }
    }
    this.#wakes.emit(topicOf(subject));
    if (columns.session !== null) this.#wakes.emit("due");
  }
}

function subjectOf({ session, name }: LeaseColumns): Subject {
  return session === null ? { name: name ?? "" } : { session };
}

function topicOf(subject: Subject): Topic {
  return `lease ${keyOf(subject)}`;
}

function keyOf(subject: Subject): string {
  return "session" in subject ? `session ${subject.session}` : `name ${subject.name}`;
}
