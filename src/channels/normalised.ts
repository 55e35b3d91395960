import type { Inbound } from "./types.js";

/** A message of a platform, or why something that came from it is not a message. */
export type Normalised = Inbound | { why: string };

export function messageIn(normalised: Normalised): Inbound | undefined {
  return "why" in normalised ? undefined : normalised;
}
