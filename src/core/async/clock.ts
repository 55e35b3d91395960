import { onAbort } from "./on-abort.js";

/** Time and randomness, passed in so that tests can control them. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Calls back after a delay; returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay of a timer; a longer one fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, callback) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: number) => {
      const rest = left - LONGEST_TIMER_MS;
      timer = rest > 0 ? setTimeout(() => wait(rest), LONGEST_TIMER_MS) : setTimeout(callback, left);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Waits, or rejects with the signal's reason when it aborts. */
export function sleep({ after }: Pick<Clock, "after">, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const cancel = after(ms, () => {
      unlisten();
      resolve();
    });
    const unlisten = onAbort(signal, () => {
      cancel();
      reject(signal.reason);
    });
  });
}
