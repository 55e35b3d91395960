export interface Backoff {
  firstMs?: number;
  longestMs?: number;
  /** What each pause is multiplied by for the next one. */
  factor?: number;
  random?: () => number;
}

/**
 * How long to wait before the next attempt, counted from 0: longer each time. Half the wait is fixed and half is chance, so
 * that clients that failed together do not come back together.
 */
export function backoff(
  attempt: number,
  { firstMs = 250, longestMs = 15_000, factor = 2, random = Math.random }: Backoff = {},
): number {
  return Math.min(longestMs, firstMs * factor ** attempt) * (0.5 + random() / 2);
}
