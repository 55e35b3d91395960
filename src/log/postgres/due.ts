import type { DueSessions } from "../store.js";
import { onceWoken } from "./once-woken.js";
import type { StoreParts } from "./store-parts.js";

/** How long a session may be due before a process resumes it that was not asked to: most often, its run begins just then. */
const SETTLE_MS = 1_000;

/** The due sessions in a database. */
export class PostgresDue implements DueSessions {
  readonly #parts: Omit<StoreParts, "writers">;

  constructor(parts: Omit<StoreParts, "writers">) {
    this.#parts = parts;
  }

  async list(): Promise<string[]> {
    const text = "select id from session where due or running order by id";
    const rows = await this.#parts.database.run<{ id: string }>({ name: "due", text });
    return rows.map(({ id }) => id);
  }

  async has(session: string): Promise<boolean> {
    const text = "select 1 from session where id = $1 and (due or running)";
    return (await this.#parts.database.first({ name: "is due", text, values: [session] })) !== undefined;
  }

  async *follow(signal: AbortSignal): AsyncGenerator<string> {
    const { presence, wakes } = this.#parts;
    const unwatch = presence.watch();
    const change = onceWoken((wake) => {
      const stops = [wakes.on("due", wake), wakes.on("gone", wake)];
      return () => {
        for (const stop of stops) stop();
      };
    });
    /** When each session was first found due and free. */
    let since: Map<string, number> | undefined;
    try {
      while (!signal.aborted) {
        change.reset();
        const found = await this.#free();
        const now = performance.now();
        const first = since;
        since = new Map(
          found.map(({ id }) => [id, first === undefined ? -SETTLE_MS : (first.get(id) ?? now)]),
        );
        for (const { id, left } of found) {
          if (signal.aborted) return;
          if (left || now - (since.get(id) ?? now) >= SETTLE_MS) yield id;
        }
        await change.wait(signal);
      }
    } finally {
      change.stop();
      unwatch();
    }
  }

  async forget(session: string): Promise<void> {
    const text = `with texts as (delete from mark_text where session = $1)
      update session set due = false, running = false where id = $1 and (due or running)`;
    await this.#parts.database.run({ name: "forget", text, values: [session] });
  }

  /** The due sessions that no living process holds. `left`: the process that held one is gone. */
  async #free(): Promise<{ id: string; left: boolean }[]> {
    const text = `select s.id, s.holder is not null as left from session s
      where (s.due or s.running) and not exists (
        select 1 from process p where p.id = s.holder and p.until > clock_timestamp() and not p.gone)
      order by s.id`;
    const rows = await this.#parts.database.run<{ id: string; left: boolean }>({ name: "free", text });
    return rows.filter(({ id }) => !this.#parts.leases.has(id));
  }
}
