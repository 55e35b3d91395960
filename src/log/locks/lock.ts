import { existsSync, unlinkSync } from "node:fs";
import { link, readdir, readFile, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { backoff } from "../../core/async/backoff.js";
import { DragomanError } from "../../core/error.js";
import { fallbackIfMissing, systemCode } from "../files/disk-error.js";
import { makeFolder } from "../files/folder.js";
import { writeNew } from "../files/whole-file.js";
import { fateOf, type Holder, parseHolder, thisProcess } from "./holder.js";

/** How long to wait for a living holder's lock. */
const PATIENCE_MS = 10_000;
const PAUSES = { firstMs: 1, longestMs: 10, factor: 1.5 };
/** A holder's heartbeat, for processes that cannot see it, and the silence after which they consider it dead. */
const BEAT_MS = 5_000;
const SILENCE_MS = 30_000;
const FORGOTTEN_MS = 24 * 3_600_000;

interface Identity {
  path: string;
  holder: Holder;
}

export interface LocksOptions {
  patienceMs?: number;
  /** In milliseconds; only differences count. */
  now?: () => number;
}

/**
 * Locks between processes that end with their holder. A lock is a file; to acquire it, a process links its own identity file
 * to the lock's name, which succeeds for one process only:
 *
 *     process-01J…              {"pid":4711,"host":"box","nonce":"01J…", …}
 *     01K….append               the same file: 4711 holds this lock
 *     01K….append.next          the same, or another one: the process that acquires it next
 *     01K….append.01H…          the process that removes the lock that 01H… left behind when it died
 *
 * The last makes removal safe: only its holder may remove the lock of 01H…, and checks again before it does.
 */
export class Locks {
  readonly #folder: string;
  readonly #patienceMs: number;
  readonly #now: () => number;
  #identity: Promise<Identity> | undefined;
  #swept = false;
  readonly #held = new Map<string, number>();
  #heartbeat: NodeJS.Timeout | undefined;
  /** Holders whose process is not visible, and since when their files have not changed. */
  readonly #silent = new Map<string, { changed: number; since: number }>();

  constructor(folder: string, options: LocksOptions = {}) {
    this.#folder = folder;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Runs `work` while holding the lock. */
  async withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.acquire(name);
    try {
      return await work();
    } finally {
      await this.release(name);
    }
  }

  /** Waits for the lock; `log/locked` when a living holder keeps it for too long. */
  async acquire(name: string): Promise<void> {
    if (!this.hasWaiter(name) && (await this.tryAcquire(name))) return;
    const deadline = this.#now() + this.#patienceMs;
    const next = nextOf(name);
    await this.#waitFor(next, deadline);
    try {
      await this.#waitFor(name, deadline);
    } finally {
      await this.release(next);
    }
  }

  /** False while a living process holds the lock. */
  async tryAcquire(name: string): Promise<boolean> {
    for (;;) {
      if (await this.#link(name)) return true;
      const holder = await this.#holderOf(name);
      if (holder === "gone") continue;
      if (holder === undefined || !(await this.#isDead(name, holder))) return false;
      if (!(await this.#removeDead(name, holder))) return false;
    }
  }

  /** The living process that holds the lock, by its nonce. */
  async livingHolder(name: string): Promise<string | undefined> {
    const holder = await this.#holderOf(name);
    return typeof holder !== "object" || (await this.#isDead(name, holder)) ? undefined : holder.nonce;
  }

  /** This process's own nonce. */
  async nonce(): Promise<string> {
    return (await this.#me()).holder.nonce;
  }

  /** Whether a process waits for the lock. */
  hasWaiter(name: string): boolean {
    return existsSync(this.pathOf(nextOf(name)));
  }

  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Whether the lock is still this process's. If it is not, because other processes considered this one dead, it is given up. */
  async holds(name: string): Promise<boolean> {
    if (!this.#held.has(name)) return false;
    if (await this.#isOurs(name)) return true;
    this.#forget(name);
    return false;
  }

  async release(name: string): Promise<void> {
    const taken = this.#held.get(name);
    if (taken === undefined) return;
    this.#forget(name);
    // Other processes may have considered a suspended process dead.
    if (this.#now() - taken > SILENCE_MS && !(await this.#isOurs(name))) return;
    await removeFile(this.pathOf(name));
  }

  #forget(name: string): void {
    this.#held.delete(name);
    atExit.delete(this.pathOf(name));
    if (this.#held.size === 0) clearInterval(this.#heartbeat);
  }

  async #waitFor(name: string, deadline: number): Promise<void> {
    for (let attempt = 0; !(await this.tryAcquire(name)); attempt++) {
      if (this.#now() > deadline) throw await this.#lockedError(name);
      await pause(backoff(attempt, PAUSES));
    }
  }

  async #lockedError(name: string): Promise<DragomanError> {
    const holder = await this.#holderOf(name);
    const known = typeof holder === "object" ? { pid: holder.pid, host: holder.host } : undefined;
    const who = known === undefined ? "an unknown process" : `process ${known.pid} on ${known.host}`;
    return new DragomanError("log/locked", `"${this.pathOf(name)}" is held by ${who}`, {
      hint: "try again later; if that process is gone, delete this file",
      ...(known === undefined ? {} : { details: known }),
    });
  }

  async #link(name: string): Promise<boolean> {
    const me = await this.#me();
    if (!this.#swept) {
      this.#swept = true;
      await this.#sweep(me.holder);
    }
    try {
      await link(me.path, this.pathOf(name));
    } catch (error) {
      if (systemCode(error) === "EEXIST") return false;
      if (systemCode(error) !== "ENOENT") throw error;
      // The folder was cleaned up, and this process's file with it.
      this.#identity = undefined;
      return this.#link(name);
    }
    this.#held.set(name, this.#now());
    removeAtExit(this.pathOf(name));
    if (this.#held.size === 1) {
      this.#heartbeat = setInterval(() => this.#beat(me.path), BEAT_MS).unref();
    }
    return true;
  }

  #beat(path: string): void {
    const now = new Date();
    // A failure appears as silence to the others.
    utimes(path, now, now).catch(() => undefined);
  }

  async #holderOf(name: string): Promise<Holder | "gone" | undefined> {
    const text = await fallbackIfMissing(readFile(this.pathOf(name), "utf8"), undefined);
    return text === undefined ? "gone" : parseHolder(text);
  }

  async #isOurs(name: string): Promise<boolean> {
    const [holder, me] = await Promise.all([this.#holderOf(name), this.#me()]);
    return typeof holder === "object" && holder.nonce === me.holder.nonce;
  }

  async #isDead(name: string, holder: Holder): Promise<boolean> {
    const me = await this.#me();
    if (holder.nonce === me.holder.nonce) return false;
    const fate = fateOf(holder, me.holder);
    return fate === "unknown" ? this.#isSilent(name, holder) : fate === "dead";
  }

  /** Whether this process itself has observed no heartbeat for long enough; clocks are not compared. */
  async #isSilent(name: string, { nonce }: Holder): Promise<boolean> {
    const changed = await changeOf(this.pathOf(name));
    const seen = this.#silent.get(nonce);
    if (seen !== undefined && seen.changed === changed) return this.#now() - seen.since > SILENCE_MS;
    this.#silent.set(nonce, { changed, since: this.#now() });
    return false;
  }

  /** False while another process does the same. */
  async #removeDead(name: string, { nonce }: Holder): Promise<boolean> {
    const right = `${name}.${nonce}`;
    if (!(await this.tryAcquire(right))) return false;
    try {
      const holder = await this.#holderOf(name);
      if (typeof holder === "object" && holder.nonce === nonce) await removeFile(this.pathOf(name));
    } finally {
      await this.release(right);
    }
    return true;
  }

  #me(): Promise<Identity> {
    this.#identity ??= this.#register().catch((error) => {
      this.#identity = undefined;
      throw error;
    });
    return this.#identity;
  }

  async #register(): Promise<Identity> {
    const holder = thisProcess();
    const path = this.pathOf(`process-${holder.nonce}`);
    await makeFolder(this.#folder);
    // Synced, because a link that survives a power failure must not lead to an empty file.
    await writeNew(path, JSON.stringify(holder));
    removeAtExit(path);
    return { path, holder };
  }

  /** Removes what dead processes left: their own files, and locks that may never be requested again. */
  async #sweep(me: Holder): Promise<void> {
    for (const entry of await readdir(this.#folder, { withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const { name } = entry;
      const holder = await this.#holderOf(name);
      if (typeof holder !== "object") continue;
      const fate = fateOf(holder, me);
      if (name === `process-${holder.nonce}`) {
        // A process that is alive after all creates another one.
        const old = Date.now() - (await changeOf(this.pathOf(name))) > FORGOTTEN_MS;
        if (fate === "dead" || (fate === "unknown" && old)) await removeFile(this.pathOf(name));
      } else if (fate === "dead") await this.#removeDead(name, holder);
    }
  }
}

function nextOf(name: string): string {
  return `${name}.next`;
}

async function changeOf(path: string): Promise<number> {
  return (await fallbackIfMissing(stat(path), undefined))?.mtimeMs ?? 0;
}

function removeFile(path: string): Promise<void> {
  return fallbackIfMissing(unlink(path), undefined);
}

/** Files that are removed when this process exits. */
const atExit = new Set<string>();

function removeAtExit(path: string): void {
  if (atExit.size === 0 && !process.listeners("exit").includes(removeAll)) process.on("exit", removeAll);
  atExit.add(path);
}

function removeAll(): void {
  for (const path of atExit) {
    try {
      unlinkSync(path);
    } catch {
      // The next process that wants the lock finds that this one has ended, and removes it.
    }
  }
}
