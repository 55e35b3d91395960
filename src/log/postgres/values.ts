import type { Values } from "../store.js";
import type { Lease } from "../types.js";
import type { Database } from "./database.js";
import type { Leases } from "./leases.js";

/** Texts in rows. Names are stored as JSON, because they may have any characters. */
export class PostgresValues implements Values {
  readonly #name: string;
  readonly #under: Lease;
  readonly #database: Database;
  readonly #leases: Leases;
  /** The last write of each name that is not stored yet. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(name: string, under: Lease, database: Database, leases: Leases) {
    this.#name = name;
    this.#under = under;
    this.#database = database;
    this.#leases = leases;
  }

  async names(): Promise<string[]> {
    await Promise.allSettled(this.#writes.values());
    const text = "select key from stored_value where name = $1";
    const rows = await this.#database.run<{ key: string }>({ name: "values", text, values: [this.#name] });
    return rows.map(({ key }) => String(JSON.parse(key)));
  }

  async read(name: string): Promise<string | undefined> {
    await this.#writes.get(name)?.catch(() => undefined);
    const text = "select text from stored_value where name = $1 and key = $2";
    const values = [this.#name, JSON.stringify(name)];
    const row = await this.#database.first<{ text: Buffer }>({ name: "value", text, values });
    return row?.text.toString();
  }

  write(name: string, text: string): Promise<void> {
    return this.#enqueue(name, Buffer.from(text));
  }

  remove(name: string): Promise<void> {
    return this.#enqueue(name, null);
  }

  async #enqueue(name: string, text: Buffer | null): Promise<void> {
    const before = this.#writes.get(name) ?? Promise.resolve();
    const write = before.catch(() => undefined).then(() => this.#store(name, text));
    this.#writes.set(name, write);
    try {
      await write;
    } finally {
      if (this.#writes.get(name) === write) this.#writes.delete(name);
    }
  }

  async #store(name: string, text: Buffer | null): Promise<void> {
    const { session, name: lease, process, fence } = this.#leases.require(this.#under);
    const row = await this.#database.first<{ allowed: boolean }>({
      name: "set value",
      text: "select write_value($1, $2, $3, $4, $5, $6, $7) as allowed",
      values: [this.#name, session, lease, process, fence, JSON.stringify(name), text],
    });
    if (row?.allowed !== true) throw this.#leases.reject(this.#under);
  }
}
