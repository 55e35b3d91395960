import type { Clock } from "../../../core/async/clock.js";

/** A group is flushed after this many pauses, even if more items arrive. */
const MOST_PAUSES = 5;

interface Gathered<T> {
  items: T[];
  since: number;
  cancel: () => void;
}

/** Debounces items by group: flushes a group once none has arrived for a while. */
export class Gather<T> {
  readonly #world: Pick<Clock, "now" | "after">;
  readonly #flush: (items: T[]) => void;
  readonly #groups = new Map<string, Gathered<T>>();

  constructor(world: Pick<Clock, "now" | "after">, flush: (items: T[]) => void) {
    this.#world = world;
    this.#flush = flush;
  }

  add(group: string, item: T, pauseMs: number): void {
    const now = this.#world.now();
    const gathered = this.#groups.get(group) ?? { items: [], since: now, cancel: () => undefined };
    gathered.items.push(item);
    gathered.cancel();
    this.#groups.set(group, gathered);
    const left = gathered.since + MOST_PAUSES * pauseMs - now;
    if (pauseMs === 0 || left <= 0) this.flush(group);
    else gathered.cancel = this.#world.after(Math.min(pauseMs, left), () => this.flush(group));
  }

  /** The number of queued items in a group. */
  count(group: string): number {
    return this.#groups.get(group)?.items.length ?? 0;
  }

  /** A group's latest queued item. */
  last(group: string): T | undefined {
    return this.#groups.get(group)?.items.at(-1);
  }

  /** Replaces the first matching queued item; false if there is none. */
  replace(fits: (item: T) => boolean, by: (item: T) => T): boolean {
    for (const { items } of this.#groups.values()) {
      const index = items.findIndex(fits);
      const item = items[index];
      if (item === undefined) continue;
      items[index] = by(item);
      return true;
    }
    return false;
  }

  /** Removes the first matching queued item; false if there is none. */
  remove(fits: (item: T) => boolean): boolean {
    for (const { items } of this.#groups.values()) {
      const index = items.findIndex(fits);
      if (index >= 0) return items.splice(index, 1).length > 0;
    }
    return false;
  }

  /** Flushes a group at once. */
  flush(group: string): void {
    const gathered = this.#groups.get(group);
    if (gathered === undefined) return;
    gathered.cancel();
    this.#groups.delete(group);
    this.#flush(gathered.items);
  }

  /** Flushes every matching group. */
  flushThose(fits: (group: string) => boolean): void {
    for (const group of [...this.#groups.keys()]) if (fits(group)) this.flush(group);
  }

  /** Drops all queued items. */
  clear(): void {
    for (const { cancel } of this.#groups.values()) cancel();
    this.#groups.clear();
  }
}
