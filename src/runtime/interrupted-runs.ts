import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../core/error.js";
import { makeFolder, namesIn } from "../log/files/folder.js";
import { watchPath } from "../log/files/watch-path.js";
import type { Lease, Log } from "../log/types.js";
import type { Conversation } from "./conversation.js";

/** The interval while another process runs a session: only its lease shows whether it has died. */
const BUSY_MS = 1_000;
/** For file systems that report no changes. */
const IDLE_MS = 30_000;
/** A session whose run keeps failing is retried less and less often, but never given up. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

export interface InterruptedRunsOptions {
  log: Log;
  /** The folders of the marks, which are named by session id. */
  folders: readonly string[];
  /** Whether this process itself runs the session. */
  isBusy(id: string): boolean;
  open(id: string): Promise<Conversation>;
  onFailure(id: string, error: unknown): void;
}

export interface Scan {
  resumed: Conversation[];
  /** When to scan again, in milliseconds, unless something changes before. */
  nextScanMs: number;
}

/** Finds sessions in which a dead process has left a run or unanswered messages, and resumes those whose lease it gets. */
export class InterruptedRuns {
  readonly #options: InterruptedRunsOptions;
  readonly #retries = new Map<string, { due: number; pause: number }>();
  #stopped = false;

  constructor(options: InterruptedRunsOptions) {
    this.#options = options;
  }

  /** Scans once. Fulfilled when every free session is running. */
  async scan(now = performance.now()): Promise<Scan> {
    const scan: Scan = { resumed: [], nextScanMs: IDLE_MS };
    const marked = await this.#marked();
    for (const id of this.#retries.keys()) if (!marked.has(id)) this.#retries.delete(id);
    for (const id of marked) {
      if (this.#options.isBusy(id)) continue;
      const wait = (this.#retries.get(id)?.due ?? now) - now;
      const found = wait > 0 ? wait : await this.#resume(id, now);
      if (typeof found === "number") scan.nextScanMs = Math.min(scan.nextScanMs, found);
      else if (found !== undefined) scan.resumed.push(found);
    }
    return scan;
  }

  /** Scans now, and again whenever a mark is created or removed. While idle it costs one timer. Returns a function that stops it. */
  watch(onScan: (scan: Scan) => void, onError: (error: unknown) => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let due = Number.POSITIVE_INFINITY;
    const scanIn = (ms: number) => {
      if (this.#stopped || performance.now() + ms >= due) return;
      clearTimeout(timer);
      due = performance.now() + ms;
      timer = setTimeout(scanNow, ms).unref();
    };
    const scanNow = async () => {
      due = Number.POSITIVE_INFINITY;
      let pause = IDLE_MS;
      try {
        const scan = await this.scan();
        pause = scan.nextScanMs;
        onScan(scan);
      } catch (error) {
        onError(error);
      }
      scanIn(pause);
    };
    const watches: (() => void)[] = [];
    const begin = async () => {
      for (const folder of this.#options.folders) {
        await makeFolder(folder);
        // Every piece of an answer changes a mark; only its creation and removal matter.
        if (!this.#stopped) watches.push(watchPath(folder, (event) => event === "rename" && scanIn(BUSY_MS)));
      }
      await scanNow();
    };
    begin().catch(onError);
    return () => {
      this.#stopped = true;
      clearTimeout(timer);
      for (const unwatch of watches) unwatch();
    };
  }

  /** The resumed conversation; the milliseconds until a retry; undefined when there is nothing to do. */
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
      // A session that cannot be opened must not block the others.
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
