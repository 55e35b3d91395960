import type { ChannelName } from "../../channels/registry.js";
import type { Traits } from "../../channels/types.js";
import type { Clock } from "../../core/async/clock.js";
import type { Journal, JournalOptions } from "../../log/store.js";
import type { Logger, Metrics } from "../types.js";

/** Opens a journal that this process alone writes. */
export type OpenJournal = <T>(options: JournalOptions<T>) => Promise<Journal<T>>;

/** What an account's inbox and outbox have in common. */
export interface AccountJournalOptions {
  openJournal: OpenJournal;
  channel: ChannelName;
  account: string;
  traits: Traits;
  world: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** Opens one of an account's journals and applies its records to the state. */
export function openAccountJournal<T>(
  { openJournal, logger, channel, account }: AccountJournalOptions,
  state: Pick<JournalOptions<T>, "apply" | "snapshot">,
  read: JournalOptions<T>["read"],
): Promise<Journal<T>> {
  return openJournal({
    read,
    apply: (record) => state.apply(record),
    snapshot: () => state.snapshot(),
    onNote: (text) => logger.warn({ channel, account }, text),
  });
}
