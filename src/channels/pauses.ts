const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** A platform may ask for any pause. After a day it is asked again; longer than 24 days a timer would not wait at all. */
const LONGEST_ASKED_MS = 24 * 3_600_000;

/** A pause that a platform asks for, as long as it is kept. */
export function askedPause(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_ASKED_MS);
}

/** How long to wait before it is tried again: longer each time, and never the same for everybody. */
export function growing(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}
