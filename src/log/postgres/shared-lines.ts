import { CommitQueue, type Waiting } from "../commit-queue.js";
import type { LineReader, LineReaderOptions, SharedLines } from "../store.js";
import type { Database } from "./database.js";

const PAGE = 1_000;

interface Added {
  name: string;
  id: string;
  line: string;
}

/** Lines that any process adds, in rows. What is added within a moment is one statement. */
export class PostgresLines {
  readonly #database: Database;
  readonly #queue: CommitQueue<Added>;

  constructor(database: Database) {
    this.#database = database;
    this.#queue = new CommitQueue({
      choose: chooseOfOneName,
      commit: async (batch) => {
        await database.run({
          name: "add lines",
          text: "select add_lines($1, $2, $3)",
          values: [batch[0]?.name, batch.map(({ id }) => id), batch.map(({ line }) => line)],
        });
        return () => undefined;
      },
    });
  }

  lines(name: string): SharedLines {
    return {
      where: `${name} in ${this.#database.shown}`,
      add: (line, id) => this.#queue.add({ name, id, line }),
      reader: (options) => new RowReader(this.#database, name, options),
      close: () => undefined,
    };
  }

  async names(folder: string): Promise<string[]> {
    const text = 'select name from shared_lines where starts_with(name, $1) order by name collate "C"';
    const rows = await this.#database.run<{ name: string }>({ text, values: [`${folder}/`] });
    return rows.map(({ name }) => name);
  }

  /** Fulfilled when everything was stored that was added. */
  close(): Promise<void> {
    return this.#queue.whenIdle();
  }
}

class RowReader implements LineReader {
  readonly #database: Database;
  readonly #name: string;
  readonly #options: LineReaderOptions;
  #last = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(database: Database, name: string, options: LineReaderOptions) {
    this.#database = database;
    this.#name = name;
    this.#options = options;
  }

  readNew(): Promise<void> {
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const rows = await this.#database.run<{ n: number; line: string }>({
        name: "read lines",
        text: `select n::float8 as n, line from shared_line where name = $1 and n > $2 order by n limit ${PAGE}`,
        values: [this.#name, this.#last],
      });
      for (const { n, line } of rows) {
        this.#last = n;
        this.#options.apply(line, n);
      }
      isMore = rows.length === PAGE;
    }
  }
}

function chooseOfOneName<W extends Waiting<Added>>(waiting: W[]): W[] {
  const name = waiting[0]?.item.name;
  const others = waiting.findIndex(({ item }) => item.name !== name);
  return waiting.splice(0, others === -1 ? waiting.length : others);
}
