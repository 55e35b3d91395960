import { setTimeout as pause } from "node:timers/promises";
import { reasonOf } from "../network-failure.js";
import { pauseBefore } from "../pauses.js";
import { afterMsOf, statusOf } from "./failure.js";
import type { DirectChannel, History } from "./history.js";

/** Discord knows nobody of this id, or does not let the bot talk to them. */
const HOPELESS: readonly unknown[] = [400, 403, 404];

export interface FindOptions {
  history: Pick<History, "direct">;
  /** The ids of people whose direct channels are not known. */
  people: readonly string[];
  signal: AbortSignal;
  onFound(person: string, channel: DirectChannel): void;
  /** Why a channel cannot be asked for yet; undefined when it could. */
  onTrouble(person: string, why: string | undefined): void;
}

/**
 * Finds the direct channels of people. Discord lists none to bots, neither in READY nor by `GET /users/@me/channels`: a channel has to
 * be asked for by its person, which opens it if there is none, and shows nothing to the person. One at a time: Discord does not
 * like bots that open many.
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
      if (HOPELESS.includes(statusOf(error))) {
        if (attempt > 0) onTrouble(person, undefined);
        return;
      }
      onTrouble(person, reasonOf(error));
      const pauseMs = pauseBefore(attempt, afterMsOf(error));
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
