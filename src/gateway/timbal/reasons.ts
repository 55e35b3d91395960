import type { Refusal } from "../types.js";

/** Why something is refused, in the words of Timbal. */
export function timbalReason({ reason }: Pick<Refusal, "reason">): string {
  if (reason === "not_found") return "thread_not_found";
  return reason === "too_large" ? "invalid_request" : reason;
}
