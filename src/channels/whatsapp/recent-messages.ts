import type { WAMessage } from "baileys";
import type { KeptValues } from "../types.js";
import type { Baileys } from "./client.js";
import { JsonValues } from "./json-values.js";

const MOST = 500;
/** Ids become names of values. */
const LONGEST_ID = 100;
const DIGITS = 12;

type Side = "ours" | "theirs";

/**
 * The latest messages, stored: for answers that quote them, and for phones that could not decrypt one of ours and request it
 * again, perhaps after a restart. Senders choose ids, so ours and theirs are stored under separate keys.
 */
export class RecentMessages {
  readonly #baileys: Baileys;
  readonly #values: JsonValues;
  /** `theirs-3EB0…` → `000000000017-theirs-3EB0…`, oldest first. */
  readonly #names = new Map<string, string>();
  readonly #most: number;
  #next = 0;

  private constructor(baileys: Baileys, values: JsonValues, most: number) {
    this.#baileys = baileys;
    this.#values = values;
    this.#most = most;
  }

  static async open(baileys: Baileys, values: KeptValues, most = MOST): Promise<RecentMessages> {
    const recent = new RecentMessages(baileys, new JsonValues(values, baileys.BufferJSON), most);
    for (const name of (await recent.#values.names()).sort()) {
      recent.#names.set(name.slice(DIGITS + 1), name);
      recent.#next = Number(name.slice(0, DIGITS)) + 1;
    }
    return recent;
  }

  /** Best effort: a message that cannot be written is not quoted and not sent again. */
  add(message: WAMessage): void {
    const { id, fromMe } = message.key;
    if (typeof id !== "string" || id.length > LONGEST_ID || !message.message) return;
    const key = keyOf(id, fromMe === true ? "ours" : "theirs");
    if (this.#names.has(key)) return;
    const name = `${String(this.#next++).padStart(DIGITS, "0")}-${key}`;
    this.#names.set(key, name);
    this.#write(name, message);
    const [oldest] = this.#names;
    if (this.#names.size <= this.#most || oldest === undefined) return;
    this.#names.delete(oldest[0]);
    this.#write(oldest[1], undefined);
  }

  async find(id: string, side: Side): Promise<WAMessage | undefined> {
    const name = this.#names.get(keyOf(id, side));
    if (name === undefined) return undefined;
    const value = await this.#values.read(name).catch(() => undefined);
    if (value === undefined) return undefined;
    const { key, message } = this.#baileys.proto.WebMessageInfo.fromObject(value);
    return key && message ? { key, message } : undefined;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#values.close();
  }

  #write(name: string, message: WAMessage | undefined): void {
    this.#values.write(name, message).catch(() => undefined);
  }
}

function keyOf(id: string, side: Side): string {
  return `${side}-${id}`;
}
