import { isObject } from "dragoman/core";
import type { BrowserStorage } from "../../gateway/token.js";
import { readStored } from "./kept.js";

const NAME = "dragoman.seen";

interface SessionActivity {
  id: string;
  active?: number;
}

/** Up to which message each session was seen in this browser, by time. */
export class SeenSessions {
  readonly #storage: BrowserStorage;
  /** Messages from before the first visit do not count as unread. */
  readonly #since: number;

  constructor(keeper: BrowserStorage, now: number) {
    this.#storage = keeper;
    const { since } = readStored(keeper, NAME);
    this.#since = typeof since === "number" ? since : now;
    if (since !== this.#since) this.#save({});
  }

  isUnread({ id, active = 0 }: SessionActivity): boolean {
    const seen = this.#seen()[id];
    return active > (typeof seen === "number" ? seen : this.#since);
  }

  markSeen({ id, active = 0 }: SessionActivity): void {
    if (this.isUnread({ id, active })) this.#save({ ...this.#seen(), [id]: active });
  }

  /** Read each time, because other tabs write it too. */
  #seen(): Readonly<Record<string, unknown>> {
    const { seen } = readStored(this.#storage, NAME);
    return isObject(seen) ? seen : {};
  }

  #save(seen: Readonly<Record<string, unknown>>): void {
    this.#storage.setItem(NAME, JSON.stringify({ since: this.#since, seen }));
  }
}
