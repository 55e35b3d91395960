import { nextWake } from "../../core/async/next-wake.js";
import type { DueSessions, RunMark } from "../store.js";
import type { MemoryLeases } from "./memory-leases.js";

/** The due sessions, and the marks of runs, in memory. */
export class MemoryDue implements DueSessions {
  readonly #backlogs = new Set<string>();
  readonly #runs = new Map<string, string>();
  readonly #leases: MemoryLeases;
  readonly #listeners = new Set<() => void>();

  constructor(leases: MemoryLeases) {
    this.#leases = leases;
  }

  mark(session: string): void {
    this.#backlogs.add(session);
    this.#notify();
  }

  clear(session: string): void {
    this.#backlogs.delete(session);
  }

  async list(): Promise<string[]> {
    return this.#ids;
  }

  get #ids(): string[] {
    return [...new Set([...this.#runs.keys(), ...this.#backlogs])];
  }

  async has(session: string): Promise<boolean> {
    return this.#runs.has(session) || this.#backlogs.has(session);
  }

  async *follow(signal: AbortSignal): AsyncGenerator<string> {
    let seen = new Set<string>();
    while (!signal.aborted) {
      const free = this.#ids.filter((id) => !this.#leases.has(id));
      const added = free.filter((id) => !seen.has(id));
      seen = new Set(free);
      for (const id of added) {
        if (signal.aborted) return;
        yield id;
      }
      if (added.length === 0) await this.#change(signal);
    }
  }

  async forget(session: string): Promise<void> {
    this.#runs.delete(session);
    this.#backlogs.delete(session);
  }

  /** @param check throws `log/fenced` when the lease is lost */
  runMark(session: string, check: () => void): RunMark {
    const set = async (text: string) => {
      check();
      this.#runs.set(session, text);
      this.#notify();
    };
    return {
      read: async () => this.#runs.get(session),
      open: () => set(""),
      append: (text) => set((this.#runs.get(session) ?? "") + text),
      clear: () => set(""),
      remove: async () => {
        check();
        this.#runs.delete(session);
      },
      close: async () => undefined,
    };
  }

  #notify(): void {
    for (const wake of [...this.#listeners]) wake();
  }

  #change(signal: AbortSignal): Promise<void> {
    return nextWake((wake) => {
      const stop = this.#leases.onRelease(wake);
      this.#listeners.add(wake);
      return () => {
        this.#listeners.delete(wake);
        stop();
      };
    }, signal);
  }
}
