import { onAbort } from "./on-abort.js";

/**
 * Fulfilled at the next wake-up, or when the signal aborts. Leaves no listeners behind.
 *
 * @param subscribe registers a function to call, and returns one that removes it
 */
export function nextWake(subscribe: (wake: () => void) => () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const wake = () => {
      for (const stop of stops) stop();
      resolve();
    };
    stops.push(subscribe(wake));
    stops.push(onAbort(signal, wake));
  });
}
