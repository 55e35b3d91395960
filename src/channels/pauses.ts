import { backoff } from "../core/async/backoff.js";

const RETRY = { firstMs: 500, longestMs: 60_000 };

/** A platform may ask for any pause. After a day it is asked again. */
const LONGEST_ASKED_MS = 24 * 3_600_000;

/** A pause that a platform asks for, as long as it is kept. */
export function cappedPause(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_ASKED_MS);
}

/** How long to wait before the next attempt: at least as long as the platform asks for. */
export function pauseBefore(attempt: number, askedMs = 0): number {
  return Math.max(backoff(attempt, RETRY), cappedPause(askedMs));
}
