import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isSystemError } from "../../core/system-error.js";
import type { ChangedFiles } from "../catalogue/types.js";
import { exists } from "./folder.js";
import { agentsFolder, agentsOf, sessionsFolder } from "./session-files.js";

/** Names of folders in a home that may contain sessions. */
const AGENTS = "agents";
const CLINE = ["data", "sessions"];
const SUFFIX = ".jsonl";
/** The system drops changes that are not read in time, so that files are checked anyway after this time. */
const TRUSTED_MS = 60_000;

type OnEvent = (event: "change" | "rename", name: string | null) => void;

/**
 * Which files of a home have changed, as the system reports it. Only Linux reports changes in order with everything else that
 * a process does; elsewhere, and for sessions of Cline, all files have to be checked.
 */
export class SessionsWatch implements ChangedFiles {
  readonly #home: string;
  readonly #now: () => number;
  #watchers: FSWatcher[] = [];
  #changed = new Set<string>();
  #trustedUntil = 0;

  constructor(home: string, now: () => number = () => performance.now()) {
    this.#home = home;
    this.#now = now;
  }

  async begin(): Promise<void> {
    this.close();
    if (process.platform !== "linux") return;
    for (const name of CLINE) if (await exists(join(this.#home, name))) return;
    this.#trustedUntil = this.#now() + TRUSTED_MS;
    const agents = agentsFolder(this.#home);
    this.#watch(this.#home, this.#onFolder([AGENTS, ...CLINE]));
    this.#watch(agents, this.#onFolder());
    for (const agent of await agentsOf(this.#home)) {
      const folder = sessionsFolder(this.#home, agent);
      this.#watch(join(agents, agent), this.#onFolder(["sessions"]));
      if (await exists(folder)) this.#watch(folder, this.#onFile(folder));
    }
  }

  async changes(): Promise<ReadonlySet<string> | undefined> {
    // The first one may come before the system is asked for events, the second one comes after that.
    await setImmediate();
    await setImmediate();
    if (this.#now() >= this.#trustedUntil) return undefined;
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  close(): void {
    this.#trustedUntil = 0;
    this.#changed = new Set();
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  #watch(path: string, onEvent: OnEvent): void {
    try {
      const watcher = watch(path, { persistent: false }, onEvent);
      watcher.on("error", () => this.close());
      this.#watchers.push(watcher);
    } catch (error) {
      // Too many watches, or the folder is gone.
      if (!isSystemError(error)) throw error;
      this.#trustedUntil = 0;
    }
  }

  /** A folder that may contain sessions has come or gone. */
  #onFolder(names?: readonly string[]): OnEvent {
    return (event, name) => {
      if (event === "rename" && (name === null || names === undefined || names.includes(name))) this.close();
    };
  }

  #onFile(folder: string): OnEvent {
    return (event, name) => {
      if (name === null) this.close();
      else if (!name.endsWith(SUFFIX)) return;
      else if (event === "rename") this.close();
      else this.#changed.add(join(folder, name));
    };
  }
}
