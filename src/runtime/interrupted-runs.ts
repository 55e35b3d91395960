import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../core/error.js";
import { makeFolder, namesIn } from "../log/files/folder.js";
import { watchPath } from "../log/files/watch-path.js";
import type { Lease, Log } from "../log/types.js";
import type { Conversation } from "./conversation.js";

/** While another process runs a session: its death shows by its lease only. */
const BUSY_MS = 1_000;
/** For file systems that report no changes. */
const IDLE_MS = 30_000;
/** A session whose run fails here again and again is tried less and less often, but not given up. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

export interface InterruptedRunsOptions {
  log: Log;
  /** The folders of the marks, each named as its session. */
  folders: readonly string[];
  /** Whether this process itself is at it. */
  isBusy(id: string): boolean;
  open(id: string): Promise<Conversation>;
  onFailure(id: string, error: unknown): void;
}

export interface Scan {
  resumed: Conversation[];
  /** When to look again, in milliseconds, unless something changes before. */
  nextScanMs: number;
}

/** Finds the sessions in which a process that is gone has left a run or unanswered messages, and resumes them. Leases decide who does. */
export class InterruptedRuns {
  readonly #options: InterruptedRunsOptions;
  readonly #retries = new Map<string, { due: number; pause: number }>();
  #stopped = false;

  constructor(options: InterruptedRunsOptions) {
    this.#options = options;
  }

  /** Looks once. Fulfilled when everything that is free is under way. */
  async scan(now = performance.now()): Promise<Scan> {
    const look: Scan = { resumed: [], nextScanMs: IDLE_MS };
    const marked = await this.#marked();
    for (const id of this.#retries.keys()) if (!marked.has(id)) this.#retries.delete(id);
    for (const id of marked) {
      if (this.#options.isBusy(id)) continue;
      const wait = (this.#retries.get(id)?.due ?? now) - now;
      const found = wait > 0 ? wait : await this.#resume(id, now);
      if (typeof found === "number") look.nextScanMs = Math.min(look.nextScanMs, found);
      else if (found !== undefined) look.resumed.push(found);
    }
    return look;
  }

  /** Looks now, and again whenever a mark comes or goes. What it costs while nothing happens is one timer. Returns how to stop. */
  watch(onLook: (look: Scan) => void, onError: (error: unknown) => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let due = Number.POSITIVE_INFINITY;
    const lookIn = (ms: number) => {
      if (this.#stopped || performance.now() + ms >= due) return;
      clearTimeout(timer);
      due = performance.now() + ms;
      timer = setTimeout(lookNow, ms).unref();
    };
    const lookNow = async () => {
      due = Number.POSITIVE_INFINITY;
      let again = IDLE_MS;
      try {
        const look = await this.scan();
        again = look.nextScanMs;
        onLook(look);
      } catch (error) {
        onError(error);
      }
      lookIn(again);
    };
    const watches: (() => void)[] = [];
    const begin = async () => {
      for (const folder of this.#options.folders) {
        await makeFolder(folder);
        // Each word of an answer changes a mark; that it was made or removed is what counts.
        if (!this.#stopped) watches.push(watchPath(folder, (event) => event === "rename" && lookIn(BUSY_MS)));
      }
      await lookNow();
    };
    begin().catch(onError);
    return () => {
      this.#stopped = true;
      clearTimeout(timer);
      for (const unwatch of watches) unwatch();
    };
  }

  /** The conversation that is resumed; a number of milliseconds when it is worth another look; undefined when there is nothing to do. */
  async #resume(id: string, now: number): Promise<Conversation | number | undefined> {
    let lease: Lease | undefined;
    try {
      lease = await this.#options.log.lease(id);
      if (lease === undefined) return BUSY_MS;
      // Another process may have finished it since the folder was read.
      const isLeft = !this.#stopped && (await this.#marked()).has(id);
      const conversation = isLeft ? await this.#options.open(id) : undefined;
      if (conversation === undefined) {
        await lease.release();
        return undefined;
      }
      this.#retryLater(id, now);
      void conversation.resume(lease);
      return conversation;
    } catch (error) {
      await lease?.release();
      // One that cannot be opened must not keep the others from being answered.
      this.#options.onFailure(id, error);
      if (!(error instanceof DragomanError) || error.code !== "log/no-session")
        return this.#retryLater(id, now);
      for (const folder of this.#options.folders) await rm(join(folder, id), { force: true });
      return undefined;
    }
  }

  async #marked(): Promise<Set<string>> {
    const names = await Promise.all(this.#options.folders.map(namesIn));
    return new Set(names.flat());
  }

  #retryLater(id: string, now: number): number {
    const last = this.#retries.get(id)?.pause ?? FIRST_RETRY_MS / 2;
    const pause = Math.min(2 * last, LONGEST_RETRY_MS);
    this.#retries.set(id, { due: now + pause, pause });
    return pause;
  }
}
