import type { Beat } from "../../convert/replay.js";

export interface Clock {
  /** In milliseconds, from any origin. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/** Timers cannot wait for less: shorter pauses add up, and oversleeping is subtracted from the next one. */
const SHORTEST_SLEEP_MS = 1;

/** Writes each line on time. */
export async function play(
  beats: AsyncIterable<Beat>,
  write: (text: string) => Promise<void>,
  clock: Clock,
): Promise<void> {
  let owed = 0;
  for await (const { text, afterMs } of beats) {
    await write(text);
    owed += afterMs;
    if (owed < SHORTEST_SLEEP_MS) continue;
    const begun = clock.now();
    await clock.sleep(owed);
    owed -= clock.now() - begun;
  }
}
