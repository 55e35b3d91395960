import { rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ended } from "../../core/async/ended.js";
import type { DueSessions } from "../store.js";
import { writeFailure } from "./disk-error.js";
import { exists, makeFolder, namesIn } from "./folder.js";
import type { Leases } from "./leases.js";
import { watchPath } from "./watch-path.js";

/** The interval while another process runs a due session: only its lease shows whether it has died. */
const BUSY_MS = 1_000;
/** For file systems that report no changes. */
const IDLE_MS = 30_000;

/** The lock of a session's lease. */
export function sessionLock(id: string): string {
  return `${id}.run`;
}

/**
 * The due sessions of a home: a file for each one, in `inboxes` for messages that wait, in `runs` for a run in progress. A
 * process creates the first after its message is in the log, while it holds the append lock; and the holder of the lease
 * removes it under the same lock, so that no message is missed.
 */
export class DueMarks implements DueSessions {
  readonly #backlogs: string;
  readonly #runs: string;
  readonly #leases: Leases;

  constructor(home: string, leases: Leases) {
    this.#backlogs = join(home, "inboxes");
    this.#runs = join(home, "runs");
    this.#leases = leases;
  }

  runPath(session: string): string {
    return join(this.#runs, session);
  }

  async mark(session: string): Promise<void> {
    const path = join(this.#backlogs, session);
    try {
      await makeFolder(this.#backlogs);
      await writeFile(path, "");
    } catch (error) {
      throw writeFailure(path, error);
    }
  }

  clear(session: string): void {
    rmSync(join(this.#backlogs, session), { force: true });
  }

  async list(): Promise<string[]> {
    const names = await Promise.all([this.#runs, this.#backlogs].map(namesIn));
    return [...new Set(names.flat())];
  }

  async has(session: string): Promise<boolean> {
    const marks = await Promise.all([this.runPath(session), join(this.#backlogs, session)].map(exists));
    return marks.includes(true);
  }

  async *follow(signal: AbortSignal): AsyncGenerator<string> {
    let changed = new AbortController();
    const wake = () => changed.abort(ended);
    const stops = [this.#leases.onRelease(wake)];
    signal.addEventListener("abort", wake);
    try {
      for (const folder of [this.#runs, this.#backlogs]) {
        await makeFolder(folder);
        // Every piece of an answer changes a mark; only its creation and removal matter.
        stops.push(watchPath(folder, (event) => event === "rename" && wake()));
      }
      while (!signal.aborted) {
        changed = new AbortController();
        const due = (await this.list()).filter((id) => !this.#leases.has(sessionLock(id)));
        for (const id of due) {
          if (signal.aborted) return;
          yield id;
        }
        if (due.length === 0) await pause(IDLE_MS, changed.signal);
        // Most marks belong to a run that begins or ends at this moment.
        await pause(BUSY_MS, signal);
      }
    } finally {
      signal.removeEventListener("abort", wake);
      for (const stop of stops) stop();
    }
  }

  async forget(session: string): Promise<void> {
    await rm(this.runPath(session), { force: true });
    await rm(join(this.#backlogs, session), { force: true });
  }
}

/** Ends early when the signal aborts. Does not keep the process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
