import { setTimeout as pause } from "node:timers/promises";
import { reasonOf } from "../network-failure.js";
import { pauseBefore } from "../pauses.js";
import { afterMsOf } from "./failure.js";
import { type History, type Listed, PAGE } from "./history.js";
import { idBefore, isLater, type Memory } from "./memory.js";
import type { Where } from "./where.js";

/** Queued live messages. Later ones are read from the history, like missed messages. */
const MOST_QUEUED = 200;

/** A message from a gateway event, when it is written or edited. */
export interface Live {
  message: Listed;
  isEdit: boolean;
}

export interface StreamOptions {
  channel: string;
  memory: Memory;
  history: History;
  signal: AbortSignal;
  /** Resolves with the channel's location; undefined if the bot cannot read the channel. */
  where(live: Live | undefined): Promise<Where | undefined>;
  /** The same, confirmed by Discord in this connection: the remembered location may be outdated. */
  confirm(where: Where): Promise<Where | undefined>;
  /** Resolves when the message is on disk. */
  deliver(message: Listed, where: Where, isMissed: boolean): Promise<void>;
  /** Why messages cannot be received at the moment; undefined when they can again. */
  onTrouble(why: string | undefined): void;
  /** Reports a dropped message. */
  onUnread(why: string): void;
  /** Called when the queue is empty. */
  onIdle(): void;
}

/**
 * Receives one channel's messages in the order they were written: missed ones first, then live ones. The remembered id
 * advances only over received messages, so failed ones are read again.
 */
export class ChannelStream {
  readonly #options: StreamOptions;
  readonly #queue: Live[] = [];
  /** True if messages after the remembered one may have been missed. */
  #hasGap = false;
  #isRunning = false;
  #isNew = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Reads the messages after the last received one from the history. */
  fillGap(): void {
    this.#hasGap = true;
    this.#start();
  }

  push(live: Live): void {
    const { channel, memory, onUnread } = this.#options;
    // A channel's first message can be read again only if its starting point is remembered.
    if (!live.isEdit && memory.last(channel) === undefined) {
      memory.record(channel, this.#beginning(live));
      this.#isNew = true;
    }
    if (this.#queue.length < MOST_QUEUED) this.#queue.push(live);
    else if (live.isEdit) onUnread("too many edits at once");
    else this.#hasGap = true;
    this.#start();
  }

  /** A new person may have written earlier, while the gateway was down; Discord does not report that. */
  #beginning({ message }: Live): string {
    const { since } = this.#options.memory;
    const before = idBefore(message.id);
    const mayBeMissed = message["guild_id"] === undefined && since !== undefined && isLater(before, since);
    if (mayBeMissed) this.#hasGap = true;
    return mayBeMissed ? since : before;
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** Runs until the queue is empty; retries failures with growing pauses. */
  async #run(): Promise<void> {
    const { signal, onTrouble, onIdle } = this.#options;
    for (let attempt = 0; !signal.aborted && (this.#hasGap || this.#queue.length > 0); attempt++) {
      try {
        await this.#step();
        if (attempt > 0) onTrouble(undefined);
        attempt = -1;
      } catch (error) {
        if (signal.aborted) break;
        onTrouble(reasonOf(error));
        const pauseMs = pauseBefore(attempt, afterMsOf(error));
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#isRunning = false;
    if (!signal.aborted) onIdle();
  }

  async #step(): Promise<void> {
    const [first] = this.#queue;
    const where = await this.#options.where(first);
    if (where === undefined) {
      this.#hasGap = false;
      return;
    }
    if (this.#isNew) await this.#options.memory.save();
    this.#isNew = false;
    if (this.#hasGap) return this.#receivePage(where);
    if (first === undefined) return;
    await this.#receive(first.message, where, first.isEdit ? "edit" : "live");
    this.#queue.shift();
  }

  async #receivePage(where: Where): Promise<void> {
    const { channel, history, memory } = this.#options;
    // Later messages are in this page or arrive live; if the queue is full, `push` sets this again.
    this.#hasGap = false;
    try {
      const page = (await history.page(channel, memory.last(channel) ?? "0")) ?? [];
      const certain = page.length === 0 ? where : await this.#options.confirm(where);
      if (certain === undefined) return;
      for (const message of page) {
        await this.#receive(message, certain, "missed");
        this.#dropQueued(message);
      }
      if (page.length === PAGE) this.#hasGap = true;
    } catch (error) {
      this.#hasGap = true;
      throw error;
    }
  }

  async #receive(message: Listed, where: Where, how: "missed" | "live" | "edit"): Promise<void> {
    const { channel, memory, deliver, signal } = this.#options;
    signal.throwIfAborted();
    await deliver(message, where, how === "missed");
    if (how !== "edit") memory.record(channel, message.id, where);
  }

  /** Removes queued events whose message the page contains in the same or a later version. */
  #dropQueued({ id, edited_timestamp: edited }: Listed): void {
    const isShown = ({ message, isEdit }: Live) =>
      message.id === id && (!isEdit || String(message["edited_timestamp"]) <= String(edited));
    this.#queue.splice(0, this.#queue.length, ...this.#queue.filter((live) => !isShown(live)));
  }
}
