import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../core/json/value.js";

/** So many channels are remembered: those in which something was said last. */
const MOST = 1000;
const SAVE_AFTER_MS = 1000;

/**
 * The last message that was received in each channel, so that what is said while nobody listens can be asked for later. It is
 * written now and then: what is asked for twice is answered once.
 */
export class Memory {
  readonly #path: string;
  readonly #last: Map<string, string>;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, last: Map<string, string>) {
    this.#path = path;
    this.#last = last;
  }

  static async load(folder: string): Promise<Memory> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, "last-messages.json");
    return new Memory(path, new Map(entriesOf(await readFile(path, "utf8").catch(() => "{}"))));
  }

  get channels(): readonly string[] {
    return [...this.#last.keys()];
  }

  last(channel: string): string | undefined {
    return this.#last.get(channel);
  }

  note(channel: string, message: string): void {
    const before = this.#last.get(channel);
    if (before !== undefined && !isLater(message, before)) return;
    this.#last.delete(channel);
    this.#last.set(channel, message);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST && oldest !== undefined) this.#last.delete(oldest);
    this.#timer ??= setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  /** Fulfilled when everything that was noted is on disk, or cannot be: then more is asked for next time. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#write()).catch(() => undefined);
    return this.#saving;
  }

  async #write(): Promise<void> {
    const unfinished = `${this.#path}.new`;
    await writeFile(unfinished, JSON.stringify(Object.fromEntries(this.#last)), { mode: 0o600 });
    await rename(unfinished, this.#path);
  }
}

/** Ids of Discord grow with time. */
export function isLater(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length;
}

export function idBefore(id: string): string {
  return /^\d+$/.test(id) ? String(BigInt(id) - 1n) : id;
}

function entriesOf(text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It is only a help: without it nothing that was said before is asked for.
    return [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([channel, id]) => (typeof id === "string" ? [[channel, id]] : []));
}
