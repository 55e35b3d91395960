import type { Beat } from "../../convert/replay.js";

export interface Clock {
  /** In milliseconds, from any beginning. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/** A timer cannot wait for less, so shorter pauses are saved up; and what it overslept is made good. */
const SHORTEST_SLEEP_MS = 1;

/** Writes each line when its time has come. */
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
