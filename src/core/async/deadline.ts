import { systemClock } from "./clock.js";
import { onAbort } from "./on-abort.js";

/** Runs work that is aborted after a timeout or by the signal. Listeners on the work's own signal are freed with it. */
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
