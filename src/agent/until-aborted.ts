export const ABORTED: unique symbol = Symbol("aborted");

/**
 * What a promise brings, or `ABORTED` as soon as the signal aborts, whether or not the promise ever settles.
 * Unlike a race with one long promise it leaves nothing behind, so it can be called for every event of a stream.
 */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T | typeof ABORTED> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(ABORTED);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const settled = () => signal.removeEventListener("abort", stop);
    work.then(
      (value) => {
        settled();
        resolve(value);
      },
      (error) => {
        settled();
        reject(error);
      },
    );
  });
}
