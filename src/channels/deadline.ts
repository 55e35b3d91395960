/**
 * Work that ends when it takes too long, or the signal does. `AbortSignal.any` would do, but what it makes of a signal that
 * lives long is freed only with that signal; so is what clients add to a signal that they are given.
 */
export async function within<T>(
  signal: AbortSignal,
  patienceMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    end();
  }, patienceMs);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    return await work(ending.signal);
  } catch (error) {
    if (!isLate) throw error;
    throw new Error(`it took longer than ${patienceMs / 1000} seconds`);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener("abort", end);
  }
}
