/**
 * Calls the listener when a signal aborts, immediately if it already has; returns a function that removes the listener.
 * `AbortSignal.any` would leave a listener on a long-lived signal, such as the server's, for every request.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted === true) listener();
  signal?.addEventListener("abort", listener, { once: true });
  return () => signal?.removeEventListener("abort", listener);
}
