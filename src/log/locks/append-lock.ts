import type { Locks } from "./lock.js";

/** How long the lock is kept after an append, because the next one often follows. */
const IDLE_MS = 5;
/** The longest another process waits while appends follow each other without a pause. */
const TURN_MS = 50;
/** Other processes may consider a process dead that was suspended for this long. */
const ASLEEP_MS = 5_000;

/** A writer's lock: acquired for an append, and kept for the next ones while no other process waits for it. */
export class AppendLock {
  readonly #locks: Locks;
  readonly #name: string;
  #heldSince: number | undefined;
  #idle: NodeJS.Timeout | undefined;
  #releasing: Promise<void> = Promise.resolve();

  constructor(locks: Locks, name: string) {
    this.#locks = locks;
    this.#name = name;
  }

  async acquire(): Promise<void> {
    if (this.tryKeep()) return;
    const releasing = this.#heldSince === undefined ? this.#releasing : this.release();
    this.#releasing = Promise.resolve();
    await releasing;
    await this.#locks.acquire(this.#name);
    this.#heldSince = performance.now();
  }

  /** Keeps the lock for the next append, if this process holds it and it is not another process's turn. */
  tryKeep(): boolean {
    clearTimeout(this.#idle);
    if (this.#heldSince === undefined) return false;
    const now = performance.now();
    const held = now - this.#heldSince;
    if (held < TURN_MS) return true;
    if (held >= ASLEEP_MS || this.#locks.hasWaiter(this.#name)) return false;
    this.#heldSince = now;
    return true;
  }

  /** Call when no append is queued. */
  releaseWhenIdle(): void {
    if (this.#heldSince === undefined) return;
    this.#idle = setTimeout(() => {
      this.#releasing = this.release();
      // The next `acquire` or `release` awaits it, and reports a failure.
      this.#releasing.catch(() => undefined);
    }, IDLE_MS);
  }

  async release(): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#heldSince === undefined) return this.#releasing;
    this.#heldSince = undefined;
    await this.#locks.release(this.#name);
  }
}
