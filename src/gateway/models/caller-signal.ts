import { onAbort } from "../../core/async/on-abort.js";
import type { Gateway, HttpRequest } from "../types.js";

/** A signal that aborts when the client disconnects or the gateway shuts down. Call `release` when the answer is complete. */
export function callerSignal(
  { signal }: Pick<HttpRequest, "signal">,
  { closing }: Pick<Gateway, "closing">,
): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const listening = [signal, closing].map((source) => onAbort(source, () => controller.abort(source.reason)));
  return {
    signal: controller.signal,
    release() {
      for (const unlisten of listening) unlisten();
    },
  };
}
