import { Listeners } from "../../transcript/live/listeners.js";

/** Longer gaps between messages are shortened; messages without a time follow after a short one. */
const LONGEST_PAUSE_MS = 5000;
const UNKNOWN_PAUSE_MS = 600;

/** When each message appears, in milliseconds after the first. */
export function scheduleOf(times: readonly (number | undefined)[]): number[] {
  let at = 0;
  let last: number | undefined;
  return times.map((time, index) => {
    if (index > 0) {
      const gap = time === undefined || last === undefined ? UNKNOWN_PAUSE_MS : time - last;
      at += Math.min(Math.max(gap, 0), LONGEST_PAUSE_MS);
    }
    last = time ?? last;
    return at;
  });
}

export const speeds = [0.5, 1, 2, 4, 8, 16] as const;
export type Speed = (typeof speeds)[number];

export interface ReplayState {
  /** How many messages are shown. */
  shown: number;
  playing: boolean;
  speed: Speed;
}

export interface Clock {
  now(): number;
  /** Calls back after `ms`; returns a function that cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** Shows messages one after another at their original pace. */
export class Replay {
  readonly #schedule: readonly number[];
  readonly #clock: Clock;
  readonly #listeners = new Listeners();
  #state: ReplayState;
  /** The position in the recording at `#since`. */
  #position = 0;
  #since = 0;
  #cancel: () => void = () => undefined;

  constructor(schedule: readonly number[], clock: Clock) {
    this.#schedule = schedule;
    this.#clock = clock;
    this.#state = { shown: schedule.length, playing: false, speed: 1 };
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly snapshot = (): ReplayState => this.#state;

  get length(): number {
    return this.#schedule.length;
  }

  /** Plays from the current position, or from the start if it is at the end. */
  play(): void {
    if (this.#schedule.length === 0) return;
    if (this.#state.shown >= this.#schedule.length) this.seek(1);
    this.#since = this.#clock.now();
    this.#set({ playing: true });
    this.#wait();
  }

  pause(): void {
    this.#cancel();
    this.#position = this.#now();
    this.#set({ playing: false });
  }

  /** Shows the first `shown` messages, and continues from there if it is playing. */
  seek(shown: number): void {
    const last = Math.min(Math.max(shown, 0), this.#schedule.length);
    this.#position = this.#schedule[last - 1] ?? 0;
    this.#since = this.#clock.now();
    this.#set({ shown: last });
    if (this.#state.playing) this.#wait();
  }

  setSpeed(speed: Speed): void {
    this.#position = this.#now();
    this.#since = this.#clock.now();
    this.#set({ speed });
    if (this.#state.playing) this.#wait();
  }

  close(): void {
    this.#cancel();
  }

  #now(): number {
    const { playing, speed } = this.#state;
    return playing ? this.#position + (this.#clock.now() - this.#since) * speed : this.#position;
  }

  #wait(): void {
    this.#cancel();
    const next = this.#schedule[this.#state.shown];
    if (next === undefined) {
      this.#set({ playing: false });
      return;
    }
    const ms = Math.max(0, next - this.#now()) / this.#state.speed;
    this.#cancel = this.#clock.after(ms, () => this.#showDue());
  }

  /** A late timer, or equal times, can make several messages due. */
  #showDue(): void {
    const now = this.#now();
    let { shown } = this.#state;
    do shown++;
    while ((this.#schedule[shown] ?? Number.POSITIVE_INFINITY) <= now);
    this.#set({ shown });
    this.#wait();
  }

  #set(change: Partial<ReplayState>): void {
    this.#state = { ...this.#state, ...change };
    this.#listeners.emit();
  }
}
