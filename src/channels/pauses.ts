const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** How long to wait before it is tried again: longer each time, and never the same for everybody. */
export function growing(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}
