export interface Backoff {
  firstMs?: number;
  longestMs?: number;
  /** The factor by which each pause is longer than the last. */
  factor?: number;
  random?: () => number;
}

/** The delay before an attempt, counted from 0. Half of it is random, so that clients do not all return together. */
export function backoff(
  attempt: number,
  { firstMs = 250, longestMs = 15_000, factor = 2, random = Math.random }: Backoff = {},
): number {
  return Math.min(longestMs, firstMs * factor ** attempt) * (0.5 + random() / 2);
}
