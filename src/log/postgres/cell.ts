import type { Cell, CellCodec } from "../store.js";
import type { Database } from "./database.js";

interface Stored<T> {
  version: number;
  value: T;
}

/** A small value in a row. Its version tells whether the value that this process knows is current. */
export class PostgresCell<T> implements Cell<T> {
  readonly where: string;
  readonly #name: string;
  readonly #codec: CellCodec<T>;
  readonly #database: Database;
  #known: Stored<T>;
  #reading: Promise<Stored<T>> | undefined;
  #next: Promise<Stored<T>> | undefined;
  #changes: Promise<unknown> = Promise.resolve();

  constructor(name: string, codec: CellCodec<T>, database: Database) {
    this.where = `${name} in ${database.shown}`;
    this.#name = name;
    this.#codec = codec;
    this.#database = database;
    this.#known = { version: 0, value: codec.empty };
  }

  async exists(): Promise<boolean> {
    return (await this.#read()).version > 0;
  }

  async read(): Promise<T> {
    return (await this.#read()).value;
  }

  change(edit: (value: T) => T): Promise<T> {
    const change = this.#changes.then(() => this.#change(edit));
    this.#changes = change.catch(() => undefined);
    return change;
  }

  /** Calls that arrive while the database is asked share the next request: it sees everything that was stored before them. */
  #read(): Promise<Stored<T>> {
    if (this.#reading === undefined) {
      this.#reading = this.#fetch().finally(() => {
        this.#reading = undefined;
      });
      return this.#reading;
    }
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#read();
      });
    return this.#next;
  }

  async #fetch(): Promise<Stored<T>> {
    const row = await this.#database.first<{ version: number; text: string | null }>({
      name: "cell",
      text: `select version::float8 as version, case when version <> $2 then text end as text from cell where name = $1`,
      values: [this.#name, this.#known.version],
    });
    if (row === undefined) this.#known = { version: 0, value: this.#codec.empty };
    else if (row.text !== null) {
      this.#known = { version: row.version, value: this.#codec.parse(row.text, this.where) };
    }
    return this.#known;
  }

  /** Another process may change it between reading and writing: then the edit is made again. */
  async #change(edit: (value: T) => T): Promise<T> {
    for (;;) {
      const { version, value } = await this.#read();
      const edited = edit(value);
      if (edited === value) return value;
      const text = this.#codec.print(edited);
      const row = await this.#database.first<{ is_ours: boolean }>({
        name: "set cell",
        text: `with changed as (
            insert into cell as c (name, version, text) values ($1, $2::bigint + 1, $3)
            on conflict (name) do update set version = $2::bigint + 1, text = $3 where c.version = $2 returning 1
          )
          select exists (select 1 from changed) or exists (
            select 1 from cell where name = $1 and version = $2::bigint + 1 and text = $3) as is_ours`,
        values: [this.#name, version, text],
      });
      if (row?.is_ours === true) return this.#codec.parse(text, this.where);
    }
  }
}
