import { setTimeout as pause } from "node:timers/promises";
import { reasonOf } from "../network-failure.js";
import { pauseBefore } from "../pauses.js";
import { afterMsOf, statusOf } from "./failure.js";
import type { DirectChannel, History } from "./history.js";

/** Discord does not know the id, or does not let the bot write to the person. */
const PERMANENT: readonly unknown[] = [400, 403, 404];

export interface FindOptions {
  history: Pick<History, "direct">;
  /** Ids of people whose direct channels are unknown. */
  people: readonly string[];
  signal: AbortSignal;
  onFound(person: string, channel: DirectChannel): void;
  /** Why a channel cannot be found yet; undefined once it could. */
  onTrouble(person: string, why: string | undefined): void;
}

/**
 * Finds people's direct channels. Discord does not list them for bots, neither in READY nor by `GET /users/@me/channels`; they
 * are found by person, which opens a channel if needed and shows nothing to the person. One at a time, because Discord limits
 * bots that open many.
 */
export async function findDirectChannels(finding: FindOptions): Promise<void> {
  for (const person of finding.people) {
    if (finding.signal.aborted) return;
    await find(person, finding);
  }
}

async function find(person: string, { history, signal, onFound, onTrouble }: FindOptions): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      onFound(person, await history.direct(person));
      if (attempt > 0) onTrouble(person, undefined);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (PERMANENT.includes(statusOf(error))) {
        if (attempt > 0) onTrouble(person, undefined);
        return;
      }
      onTrouble(person, reasonOf(error));
      const pauseMs = pauseBefore(attempt, afterMsOf(error));
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
