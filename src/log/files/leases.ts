import { setTimeout } from "node:timers/promises";
import type { Locks } from "../locks/lock.js";
import { fenced } from "../refusals.js";
import type { Lease } from "../types.js";
import { writeFailure } from "./disk-error.js";
import { watchPath } from "./watch-path.js";

/** How often a waiting process looks whether the holder has died; a release is noticed at once. */
const WAIT_MS = 1_000;
/** How often a holder makes sure that it was not suspended. */
const BEAT_MS = 5_000;
/** After a longer pause, other processes may have considered this one dead. Less than the silence that `Locks` allows. */
const SUSPENDED_MS = 15_000;

interface Held {
  lease: Lease;
  lost: AbortController;
}

/**
 * Leases are locks that are held for a long time. On one computer, a lock ends only with its process. Between computers that
 * share a folder, a suspended process counts as dead after a while; when it continues, it checks on disk which leases it
 * still has.
 */
export class Leases {
  readonly #locks: Locks;
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();
  readonly #names = new WeakMap<Lease, string>();
  readonly #listeners = new Set<() => void>();
  #beat: NodeJS.Timeout | undefined;
  #seen = 0;
  #lastFence = 0;

  /** @param now in milliseconds; only differences count */
  constructor(locks: Locks, now: () => number = Date.now) {
    this.#locks = locks;
    this.#now = now;
  }

  async tryAcquire(name: string): Promise<Lease | undefined> {
    try {
      return (await this.#locks.tryAcquire(name)) ? this.#hold(name) : undefined;
    } catch (error) {
      throw writeFailure(this.#locks.pathOf(name), error);
    }
  }

  async waitFor(name: string, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      const change = new AbortController();
      const wake = () => change.abort();
      const unwatch = watchPath(this.#locks.pathOf(name), wake);
      const unlisten = this.onRelease(wake);
      signal.addEventListener("abort", wake);
      try {
        signal.throwIfAborted();
        const lease = await this.tryAcquire(name);
        if (lease !== undefined) return lease;
        await setTimeout(WAIT_MS, undefined, { signal: change.signal }).catch(() => undefined);
      } finally {
        unwatch();
        unlisten();
        signal.removeEventListener("abort", wake);
      }
    }
  }

  /** Whether this process holds it, as far as it knows. */
  has(name: string): boolean {
    return this.#held.has(name);
  }

  /** Throws `log/fenced` unless this lease is still held. Touches the disk only after a pause. */
  async require(name: string, lease: Lease): Promise<void> {
    if (this.#wasSuspended()) await this.#checkAll();
    if (this.#held.get(name)?.lease !== lease) throw fenced(name);
  }

  /** The same, for what a lease of any name protects. */
  requireAny(lease: Lease): Promise<void> {
    return this.require(this.#names.get(lease) ?? "another store", lease);
  }

  /** Calls back after each release. Returns a function that unsubscribes. */
  onRelease(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #hold(name: string): Lease {
    const lost = new AbortController();
    // Grows with time. The check compares holders, so that it does not depend on clocks.
    const time = Math.floor((performance.timeOrigin + performance.now()) * 1000);
    this.#lastFence = Math.max(this.#lastFence + 1, time);
    const lease: Lease = {
      fence: this.#lastFence,
      lost: lost.signal,
      release: () => this.#release(name, lease),
    };
    if (this.#held.size === 0) {
      this.#seen = this.#now();
      this.#beat = setInterval(() => void this.#renew(), BEAT_MS).unref();
    }
    this.#held.set(name, { lease, lost });
    this.#names.set(lease, name);
    return lease;
  }

  async #release(name: string, lease: Lease): Promise<void> {
    if (this.#held.get(name)?.lease !== lease) return;
    this.#drop(name);
    await this.#locks.release(name);
    for (const listener of this.#listeners) listener();
  }

  #drop(name: string): void {
    this.#held.delete(name);
    if (this.#held.size === 0) clearInterval(this.#beat);
  }

  #wasSuspended(): boolean {
    return Math.abs(this.#now() - this.#seen) > SUSPENDED_MS;
  }

  async #renew(): Promise<void> {
    // A failure to read the disk is reported by the append that needs the lease.
    if (this.#wasSuspended()) await this.#checkAll().catch(() => undefined);
    else this.#seen = this.#now();
  }

  async #checkAll(): Promise<void> {
    const checked = this.#now();
    for (const [name, { lost }] of [...this.#held]) {
      if (await this.#locks.holds(name)) continue;
      this.#drop(name);
      lost.abort(fenced(name));
    }
    this.#seen = checked;
  }
}
