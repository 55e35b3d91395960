import { onAbort } from "./on-abort.js";

export const ABORTED: unique symbol = Symbol("aborted");

/**
 * The promise's value, or `ABORTED` as soon as the signal aborts, whether or not the promise ever settles.
 * Unlike `Promise.race` it leaves no listeners behind, so it can be called for every event of a stream.
 */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T | typeof ABORTED> {
  return new Promise((resolve, reject) => {
    const unlisten = onAbort(signal, () => resolve(ABORTED));
    work.then(
      (value) => {
        unlisten();
        resolve(value);
      },
      (error) => {
        unlisten();
        reject(error);
      },
    );
  });
}
