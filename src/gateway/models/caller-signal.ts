import { onAbort } from "../../core/async/on-abort.js";
import type { Gateway, HttpRequest } from "../types.js";

/** The calls in progress, by the signal of their gateway: one listener for all, because Node searches a signal's listeners. */
const calls = new WeakMap<AbortSignal, Set<AbortController>>();

/** A signal that aborts when the client disconnects or the gateway shuts down. Call `release` when the answer is complete. */
export function callerSignal(
  { client }: Pick<HttpRequest, "client">,
  { closing }: Pick<Gateway, "closing">,
): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  if (closing.aborted) controller.abort(closing.reason);
  const open = callsOf(closing);
  open.add(controller);
  const unlisten = client.onLeave(() => controller.abort());
  return {
    signal: controller.signal,
    release() {
      open.delete(controller);
      unlisten();
    },
  };
}

function callsOf(closing: AbortSignal): Set<AbortController> {
  const known = calls.get(closing);
  if (known !== undefined) return known;
  const open = new Set<AbortController>();
  onAbort(closing, () => {
    for (const controller of open) controller.abort(closing.reason);
  });
  calls.set(closing, open);
  return open;
}
