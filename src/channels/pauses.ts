import { backoff } from "../core/async/backoff.js";

const RETRY = { firstMs: 500, longestMs: 60_000 };

/** Platforms can request any pause; after a day we try again anyway. */
const LONGEST_ASKED_MS = 24 * 3_600_000;

/** A pause requested by a platform, limited to a day. */
export function cappedPause(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_ASKED_MS);
}

/** The pause before the next attempt: at least as long as the platform requests. */
export function pauseBefore(attempt: number, askedMs = 0): number {
  return Math.max(backoff(attempt, RETRY), cappedPause(askedMs));
}
