import { setImmediate } from "node:timers/promises";

/** Work pauses after this time, because it blocks the process, appends included. */
const BLOCKED_MS = 12;

/** Called during long work: lets the process do other things if it is time. */
export type Pause = () => Promise<void>;

export function pauses(): Pause {
  let end = performance.now() + BLOCKED_MS;
  return async () => {
    if (performance.now() < end) return;
    await setImmediate();
    end = performance.now() + BLOCKED_MS;
  };
}
