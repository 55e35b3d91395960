import { setTimeout as pause } from "node:timers/promises";
import { reasonOf } from "../network-failure.js";
import { pauseBefore } from "../pauses.js";
import { afterMsOf } from "./failure.js";
import { type History, type Listed, PAGE } from "./history.js";
import { idBefore, isLater, type Memory } from "./memory.js";
import type { Where } from "./where.js";

/** Live messages that wait. More are asked for later, as those that were missed are. */
const MOST_QUEUED = 200;

/** A message that Discord tells of as it is written or edited. */
export interface Live {
  message: Listed;
  isEdit: boolean;
}

export interface StreamOptions {
  channel: string;
  memory: Memory;
  history: History;
  signal: AbortSignal;
  /** Where the channel is, when that is known; undefined when it cannot be, because the channel is not ours to read. */
  where(live: Live | undefined): Promise<Where | undefined>;
  /** The same, when Discord itself has told in this connection: what is remembered may be wrong. */
  confirm(where: Where): Promise<Where | undefined>;
  /** Fulfilled when the message is on disk. */
  deliver(message: Listed, where: Where, isMissed: boolean): Promise<void>;
  /** What keeps its messages from being received, until it is tried again; undefined when nothing does. */
  onTrouble(why: string | undefined): void;
  /** A message that nobody will see. */
  onUnread(why: string): void;
  /** Nothing waits any more. */
  onIdle(): void;
}

/**
 * The messages of one channel in the order they were written, those that were missed before those that are live. The remembered id
 * moves only over messages that were received, so that what fails is asked for again.
 */
export class ChannelStream {
  readonly #options: StreamOptions;
  readonly #queue: Live[] = [];
  /** Messages after the remembered one may have been missed. */
  #hasGap = false;
  #isRunning = false;
  #isNew = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Asks for the messages after the last one that was received. */
  fillGap(): void {
    this.#hasGap = true;
    this.#start();
  }

  push(live: Live): void {
    const { channel, memory, onUnread } = this.#options;
    // The first message of a channel can be asked for again only if it is known where it begins.
    if (!live.isEdit && memory.last(channel) === undefined) {
      memory.record(channel, this.#beginning(live));
      this.#isNew = true;
    }
    if (this.#queue.length < MOST_QUEUED) this.#queue.push(live);
    else if (live.isEdit) onUnread("too many edits at once");
    else this.#hasGap = true;
    this.#start();
  }

  /** A person who writes for the first time may have written before, while nobody listened: Discord does not tell. */
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

  /** Until nothing is left, and again after a growing pause when something fails. */
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
    // What is written from here on is in this page, or comes live: if there is no room for it, this is set again.
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

  /** What a page has shown in this version or a later one need not be received live. */
  #dropQueued({ id, edited_timestamp: edited }: Listed): void {
    const isShown = ({ message, isEdit }: Live) =>
      message.id === id && (!isEdit || String(message["edited_timestamp"]) <= String(edited));
    for (let n = this.#queue.length - 1; n >= 0; n--) {
      const held = this.#queue[n];
      if (held !== undefined && isShown(held)) this.#queue.splice(n, 1);
    }
  }
}
