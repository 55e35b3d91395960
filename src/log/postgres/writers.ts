import { fnv1a } from "../../core/hash.js";
import type { Database } from "./database.js";
import type { Item, Outcome } from "./group.js";
import { Writer } from "./writer.js";

/** While the server stores what one of them sent, the process prepares what the other will send. */
const COUNT = 2;

/** Stores the appends of this process. Those to one session are stored by the same writer, in the order of the calls. */
export class Writers {
  readonly #all: readonly Writer[];

  constructor(database: Database) {
    this.#all = Array.from({ length: COUNT }, () => new Writer(database));
  }

  get counts(): Writer["counts"] {
    const sum = { appends: 0, commits: 0, repeatedCommits: 0 };
    for (const { counts } of this.#all) {
      sum.appends += counts.appends;
      sum.commits += counts.commits;
      sum.repeatedCommits += counts.repeatedCommits;
    }
    return sum;
  }

  write(item: Item): Promise<Outcome> {
    const writer = this.#all[fnv1a(item.session) % COUNT];
    if (writer === undefined) throw new Error("there is no writer");
    return writer.write(item);
  }

  /** Fulfilled when everything was stored that was given to `write`. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((writer) => writer.close()));
  }
}
