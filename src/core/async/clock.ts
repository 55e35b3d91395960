import { onAbort } from "./on-abort.js";

/** Time and chance. Tests pass their own. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Calls back after a while, unless cancelled first. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest that a timer waits; one that is set for longer goes off at once. */
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

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export function sleep({ after }: Pick<Clock, "after">, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const cancel = after(ms, () => {
      unlisten();
      resolve();
    });
    const unlisten = onAbort(signal, () => {
      cancel();
      reject(signal.reason);
    });
    return undefined;
  });
}
