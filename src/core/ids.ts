import { monotonicFactory } from "ulid";

/** Makes ids: each sorts after the one before it, also within a millisecond and when the clock steps back. */
export function idSource(now: () => number = Date.now, random?: () => number): () => string {
  const next = monotonicFactory(random);
  return () => next(now());
}

/** A new ULID, after every other one this process made. */
export const newId: () => string = idSource();
