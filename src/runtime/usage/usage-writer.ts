import { wordsOf } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { writeJson } from "../../core/json/write.js";
import type { SharedLines } from "../../log/store.js";
import { monthOf, type UsageRecord } from "./record.js";
import { linesOfMonth, type UsageLines } from "./usage-lines.js";

interface Unwritten {
  id: string;
  record: UsageRecord;
  /** The attempt in progress. */
  writing?: Promise<void> | undefined;
}

/** Adds records to the lines of their month. */
export class UsageWriter {
  readonly #store: UsageLines;
  readonly #onNote: (text: string) => void;
  #month: { name: string; lines: SharedLines } | undefined;
  readonly #unwritten = new Map<string, Unwritten>();
  #appended = 0;

  constructor(store: UsageLines, onNote: (text: string) => void) {
    this.#store = store;
    this.#onNote = onNote;
  }

  /** How many records were given to `append`. */
  get appended(): number {
    return this.#appended;
  }

  /** The records that are not stored, or not known to be. */
  get unwritten(): UsageRecord[] {
    return [...this.#unwritten.values()].map(({ record }) => record);
  }

  /**
   * Fulfilled when the record is stored or cannot be; then the next append tries again. Never rejects: an answer must not
   * fail because its usage cannot be stored.
   */
  async append(record: UsageRecord): Promise<void> {
    const id = newId();
    this.#unwritten.set(id, { id, record });
    this.#appended++;
    const attempts = [...this.#unwritten.values()].map((one) => {
      one.writing ??= this.#write(one).finally(() => {
        one.writing = undefined;
      });
      return one.writing;
    });
    const failed = (await Promise.allSettled(attempts)).find((one) => one.status === "rejected");
    if (failed === undefined) return;
    const count = this.#unwritten.size;
    this.#onNote(`the usage of ${count} call(s) is counted but not stored: ${wordsOf(failed.reason)}`);
  }

  /** Fulfilled when no record is being stored. */
  async whenIdle(): Promise<void> {
    await Promise.allSettled([...this.#unwritten.values()].map(({ writing }) => writing));
  }

  async close(): Promise<void> {
    await this.whenIdle();
    this.#month?.lines.close();
    this.#month = undefined;
  }

  /** In files, the record is in the system's cache when this returns. */
  async #write({ id, record }: Unwritten): Promise<void> {
    await this.#linesOf(monthOf(record.at)).add(writeJson(record), id);
    this.#unwritten.delete(id);
  }

  #linesOf(name: string): SharedLines {
    if (this.#month?.name === name) return this.#month.lines;
    this.#month?.lines.close();
    this.#month = { name, lines: linesOfMonth(this.#store, name) };
    return this.#month.lines;
  }
}
