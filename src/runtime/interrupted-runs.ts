import { setTimeout } from "node:timers/promises";
import { DragomanError } from "../core/error.js";
import type { Store } from "../log/store.js";
import type { Lease } from "../log/types.js";
import type { Conversation } from "./conversation.js";

/** A session whose run keeps failing is retried less and less often, but never given up. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;
/** The pause after the store could not be read. */
const RESTART_MS = 5_000;

export interface InterruptedRunsOptions {
  store: Pick<Store, "log" | "due">;
  /** Whether this process itself runs the session. */
  isBusy(id: string): boolean;
  open(id: string): Promise<Conversation>;
  /** Whether only another gateway runs the session. */
  isElsewhere(id: string): Promise<boolean>;
  onFailure(id: string, error: unknown): void;
}

/** Resumes due sessions whose lease it gets: a dead process has left a run or unanswered messages in them. */
export class InterruptedRuns {
  readonly #options: InterruptedRunsOptions;
  readonly #retries = new Map<string, { due: number; pause: number }>();
  readonly #stopping = new AbortController();

  constructor(options: InterruptedRunsOptions) {
    this.#options = options;
  }

  /** Fulfilled when every due and free session is running. */
  async resumeAll(now = performance.now()): Promise<Conversation[]> {
    const due = await this.#options.store.due.list();
    this.#forgetOthers(new Set(due));
    const resumed: Conversation[] = [];
    for (const id of due) {
      const conversation = await this.#resume(id, now);
      if (conversation !== undefined) resumed.push(conversation);
    }
    return resumed;
  }

  /** Resumes due sessions from now on. Returns a function that stops it. */
  watch(onResumed: (conversation: Conversation) => void, onError: (error: unknown) => void): () => void {
    const { signal } = this.#stopping;
    const follow = async () => {
      for await (const id of this.#options.store.due.follow(signal)) {
        const conversation = await this.#resume(id, performance.now());
        if (conversation !== undefined) onResumed(conversation);
      }
    };
    const keepFollowing = async () => {
      while (!signal.aborted) {
        await follow().catch(onError);
        await setTimeout(RESTART_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    };
    void keepFollowing();
    return () => this.#stopping.abort();
  }

  async #resume(id: string, now: number): Promise<Conversation | undefined> {
    const { store, isBusy, open, isElsewhere, onFailure } = this.#options;
    if (isBusy(id) || (this.#retries.get(id)?.due ?? now) > now) return undefined;
    let lease: Lease | undefined;
    try {
      if (await isElsewhere(id)) {
        this.#retryLater(id, now);
        return undefined;
      }
      lease = await store.log.lease(id);
      if (lease === undefined) return undefined;
      // Another process may have finished it since it was listed.
      const isLeft = !this.#stopping.signal.aborted && (await store.due.has(id));
      const conversation = isLeft ? await open(id) : undefined;
      if (conversation === undefined) {
        this.#retries.delete(id);
        await lease.release();
        return undefined;
      }
      this.#retryLater(id, now);
      void this.#finish(conversation, lease);
      return conversation;
    } catch (error) {
      await lease?.release();
      // A session that cannot be opened must not block the others.
      onFailure(id, error);
      if (error instanceof DragomanError && error.code === "log/no-session") await store.due.forget(id);
      else this.#retryLater(id, now);
      return undefined;
    }
  }

  async #finish(conversation: Conversation, lease: Lease): Promise<void> {
    const { id } = conversation.session;
    await conversation.resume(lease);
    if (!(await this.#options.store.due.has(id).catch(() => true))) this.#retries.delete(id);
  }

  #forgetOthers(due: ReadonlySet<string>): void {
    for (const id of this.#retries.keys()) if (!due.has(id)) this.#retries.delete(id);
  }

  #retryLater(id: string, now: number): void {
    const last = this.#retries.get(id)?.pause ?? FIRST_RETRY_MS / 2;
    const pause = Math.min(2 * last, LONGEST_RETRY_MS);
    this.#retries.set(id, { due: now + pause, pause });
  }
}
