import { nextWake } from "../../core/async/next-wake.js";
import { fenced } from "../refusals.js";
import type { Lease } from "../types.js";

/** Leases within one process. They end when they are released or revoked. */
export class MemoryLeases {
  readonly #held = new Map<string, { lease: Lease; lost: AbortController }>();
  readonly #waiting = new Set<() => void>();
  #fence = 0;

  tryAcquire(name: string): Lease | undefined {
    if (this.#held.has(name)) return undefined;
    const lost = new AbortController();
    const release = async () => {
      if (this.#held.get(name)?.lease === lease) this.#free(name);
    };
    const lease: Lease = { fence: ++this.#fence, lost: lost.signal, release };
    this.#held.set(name, { lease, lost });
    return lease;
  }

  async waitFor(name: string, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      signal.throwIfAborted();
      const lease = this.tryAcquire(name);
      if (lease !== undefined) return lease;
      await this.#waitForRelease(signal);
    }
  }

  has(name: string): boolean {
    return this.#held.has(name);
  }

  /** Throws `log/fenced` unless the lease is still held. */
  require(name: string, lease: Lease): void {
    if (this.#held.get(name)?.lease !== lease) throw fenced(name);
  }

  /** The same, for what a lease of any name protects. */
  requireAny(lease: Lease): void {
    for (const held of this.#held.values()) if (held.lease === lease) return;
    throw fenced("what it stores");
  }

  /** Ends a lease as if its holder had not renewed it. For tests of what a holder does then. */
  revoke(name: string): void {
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.#free(name);
    held.lost.abort(fenced(name));
  }

  /** Calls back after each release. Returns a function that unsubscribes. */
  onRelease(listener: () => void): () => void {
    this.#waiting.add(listener);
    return () => this.#waiting.delete(listener);
  }

  #free(name: string): void {
    this.#held.delete(name);
    for (const wake of [...this.#waiting]) wake();
  }

  #waitForRelease(signal: AbortSignal): Promise<void> {
    return nextWake((wake) => this.onRelease(wake), signal);
  }
}
