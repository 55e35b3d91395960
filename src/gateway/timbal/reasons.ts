import type { Refusal } from "../types.js";

/** Timbal's error code for a refusal. */
export function timbalReason({ reason }: Pick<Refusal, "reason">): string {
  if (reason === "not_found") return "thread_not_found";
  return reason === "too_large" ? "invalid_request" : reason;
}
