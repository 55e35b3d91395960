import { isObject } from "dragoman/core";
import type { Keeper } from "../../gateway/token.js";
import { readKept } from "./kept.js";

const NAME = "dragoman.seen";

interface SessionActivity {
  id: string;
  active?: number;
}

/** Up to which message each session was seen in this browser, by time. */
export class SeenSessions {
  readonly #keeper: Keeper;
  /** Messages from before the first visit do not count as unread. */
  readonly #since: number;

  constructor(keeper: Keeper, now: number) {
    this.#keeper = keeper;
    const { since } = readKept(keeper, NAME);
    this.#since = typeof since === "number" ? since : now;
    if (since !== this.#since) this.#keep({});
  }

  isUnread({ id, active = 0 }: SessionActivity): boolean {
    const seen = this.#seen()[id];
    return active > (typeof seen === "number" ? seen : this.#since);
  }

  see({ id, active = 0 }: SessionActivity): void {
    if (this.isUnread({ id, active })) this.#keep({ ...this.#seen(), [id]: active });
  }

  /** Read each time, because other tabs write it too. */
  #seen(): Readonly<Record<string, unknown>> {
    const { seen } = readKept(this.#keeper, NAME);
    return isObject(seen) ? seen : {};
  }

  #keep(seen: Readonly<Record<string, unknown>>): void {
    this.#keeper.setItem(NAME, JSON.stringify({ since: this.#since, seen }));
  }
}
