/**
 * Calls back when a signal aborts, at once if it has; returns how to stop that. `AbortSignal.any` would leave a trace on a
 * signal that lives as long as the server, for every request.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
