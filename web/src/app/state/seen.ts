import { isObject } from "dragoman/core";
import type { Keeper } from "../../gateway/token.js";
import { readKept } from "./kept.js";

const NAME = "dragoman.seen";

interface Looked {
  id: string;
  active?: number;
}

/** How far each session was seen in this browser: the time of its last message then. */
export class SeenSessions {
  readonly #keeper: Keeper;
  /** What was said before the first visit is not news. */
  readonly #since: number;

  constructor(keeper: Keeper, now: number) {
    this.#keeper = keeper;
    const { since } = readKept(keeper, NAME);
    this.#since = typeof since === "number" ? since : now;
    if (since !== this.#since) this.#keep({});
  }

  isUnread({ id, active = 0 }: Looked): boolean {
    const seen = this.#seen()[id];
    return active > (typeof seen === "number" ? seen : this.#since);
  }

  see({ id, active = 0 }: Looked): void {
    if (this.isUnread({ id, active })) this.#keep({ ...this.#seen(), [id]: active });
  }

  /** Read anew each time: other tabs see sessions, too. */
  #seen(): Readonly<Record<string, unknown>> {
    const { seen } = readKept(this.#keeper, NAME);
    return isObject(seen) ? seen : {};
  }

  #keep(seen: Readonly<Record<string, unknown>>): void {
    this.#keeper.setItem(NAME, JSON.stringify({ since: this.#since, seen }));
  }
}
