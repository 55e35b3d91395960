import { DragomanError, wordsOf } from "../../core/error.js";
import type { KeptValues } from "../types.js";
import type { Baileys } from "./client.js";

/** Values with bytes, as JSON. */
export class JsonValues {
  readonly #values: KeptValues;
  readonly #json: Baileys["BufferJSON"];
  readonly #writing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(values: KeptValues, json: Baileys["BufferJSON"]) {
    this.#values = values;
    this.#json = json;
  }

  names(): Promise<string[]> {
    return this.#values.names();
  }

  async read(name: string) {
    const text = await this.#values.read(name);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text, this.#json.reviver);
    } catch (error) {
      throw new DragomanError("channel/bad-settings", `WhatsApp's "${name}" is damaged: ${wordsOf(error)}`, {
        hint: "restore it from a backup, or link the device again: dragoman channels remove whatsapp --files",
      });
    }
  }

  /** Without a value, removes it. */
  async write(name: string, value: unknown): Promise<void> {
    if (this.#isClosed) return;
    const writing =
      value === null || value === undefined
        ? this.#values.remove(name)
        : this.#values.write(name, JSON.stringify(value, this.#json.replacer));
    this.#writing.add(writing);
    try {
      await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }

  /** Resolves when everything is written. Later writes are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#writing);
  }
}
