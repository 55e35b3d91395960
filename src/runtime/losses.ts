import { type Border, type LossRecord, noteMessage } from "../core/message/notes.js";
import type { CustomMessage, Loss } from "../core/types.js";
import type { History } from "./history.js";

/**
 * Whether a loss is stored in the session. Dropped and changed content is; synthesised content only if it is a whole message,
 * results included: a neutral value in a required field, such as a timestamp, does not interest the user. A view of the session
 * always lacks the same small fields: only missing messages and content are stored.
 */
function isStored({ severity, of }: Loss, border: Border): boolean {
  if (border === "view") return severity === "dropped" && of !== undefined;
  return severity !== "synthesised" || of === "message";
}

/** The cause of each loss. Ids and names that a reason quotes are not part of the cause. */
export function causesOf({ border, target, losses }: LossRecord): string[] {
  return losses.map(({ severity, why }) =>
    JSON.stringify([border, target, severity, why.replaceAll(/"[^"]*"/g, '""')]),
  );
}

/** The first loss of each cause of one translation. Memory depends on the number of causes, not on the transcript's size. */
export class FirstLosses {
  readonly record: LossRecord;
  readonly #causes = new Set<string>();

  constructor(border: Border, target: string) {
    this.record = { border, target, losses: [] };
  }

  add(loss: Loss): void {
    const [cause] = causesOf({ ...this.record, losses: [loss] });
    if (cause === undefined || !isStored(loss, this.record.border) || this.#causes.has(cause)) return;
    this.#causes.add(cause);
    this.record.losses.push(loss);
  }

  /** A note with the losses, if there are any. */
  note(timestamp: number): CustomMessage[] {
    if (this.record.losses.length === 0) return [];
    return [noteMessage({ type: "dragoman/losses", data: this.record }, timestamp)];
  }
}

export interface LossLedgerOptions {
  history(): History;
  /** Called with every loss, for counting. */
  onLosses?: ((record: LossRecord) => void) | undefined;
  /** Called with each stored record. */
  onStored(record: LossRecord): void;
  onFailure(error: unknown): void;
}

/** The losses of one session's translations. Each cause is stored once, in a note that models are not shown. */
export class LossLedger {
  readonly #options: LossLedgerOptions;
  #pending: LossRecord[] = [];

  constructor(options: LossLedgerOptions) {
    this.#options = options;
  }

  /** Queues losses in memory until `flush`, so that nothing waits for the disk. */
  add(border: Border, target: string, losses: readonly Loss[]): void {
    if (losses.length === 0) return;
    const record = { border, target, losses: [...losses] };
    this.#options.onLosses?.(record);
    this.#pending.push(record);
  }

  /**
   * Stores queued losses with new causes. A failure is reported and does not stop the run; what was not stored stays queued.
   */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const pending = this.#pending;
    this.#pending = [];
    const history = this.#options.history();
    let records: LossRecord[] = [];
    try {
      await history.read();
      records = newCauses(pending, history);
      if (records.length === 0) return;
      const now = Date.now();
      await history.append(records.map((data) => noteMessage({ type: "dragoman/losses", data }, now)));
      for (const record of records) this.#options.onStored(record);
    } catch (error) {
      history.releaseCauses(records.flatMap(causesOf));
      this.#pending = [...oncePerCause(pending), ...this.#pending];
      this.#options.onFailure(error);
    }
  }
}

/** The first loss of each cause: a disk that stays full must not fill the memory. */
function oncePerCause(records: readonly LossRecord[]): LossRecord[] {
  const causes = new Set<string>();
  return newCauses(records, { claimCause: (cause) => causes.size < causes.add(cause).size });
}

/** The first loss of each cause that the log does not have yet. */
function newCauses(records: readonly LossRecord[], log: Pick<History, "claimCause">): LossRecord[] {
  return records.flatMap((record) => {
    const losses = record.losses.filter((loss) => isStored(loss, record.border));
    const causes = causesOf({ ...record, losses });
    const claimed = losses.filter((_, index) => log.claimCause(causes[index] ?? ""));
    return claimed.length === 0 ? [] : [{ ...record, losses: claimed }];
  });
}
