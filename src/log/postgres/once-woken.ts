import { nextWake } from "../../core/async/next-wake.js";

/** Wake-ups since the last `reset` count: a change during a look is not missed. */
export interface Woken {
  reset(): void;
  /** Fulfilled after a wake-up since the last `reset`, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** @param subscribe registers a function to call, and returns one that removes it */
export function onceWoken(subscribe: (wake: () => void) => () => void): Woken {
  let isWoken = false;
  let wakeWaiting: (() => void) | undefined;
  const stop = subscribe(() => {
    isWoken = true;
    wakeWaiting?.();
  });
  return {
    reset() {
      isWoken = false;
    },
    async wait(signal) {
      if (isWoken || signal.aborted) return;
      await nextWake((wake) => {
        wakeWaiting = wake;
        return () => {
          wakeWaiting = undefined;
        };
      }, signal);
    },
    stop,
  };
}
