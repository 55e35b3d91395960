/**
 * Calls back when a signal aborts, at once if it has; returns how to stop that. `AbortSignal.any` would leave a trace on a
 * signal that lives long, such as the server's, for every request.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted === true) listener();
  signal?.addEventListener("abort", listener, { once: true });
  return () => signal?.removeEventListener("abort", listener);
}
