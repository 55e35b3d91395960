import { systemClock } from "./clock.js";
import { onAbort } from "./on-abort.js";

/** Work that ends when it takes too long, or the signal does. What clients add to the signal they are given goes with it. */
export async function within<T>(
  signal: AbortSignal | undefined,
  patienceMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  let isLate = false;
  const cancel = systemClock.after(patienceMs, () => {
    isLate = true;
    end();
  });
  const unlisten = onAbort(signal, end);
  try {
    return await work(ending.signal);
  } catch (error) {
    if (!isLate) throw error;
    throw new Error(`it took longer than ${patienceMs / 1000} seconds`);
  } finally {
    cancel();
    unlisten();
  }
}
