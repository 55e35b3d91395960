import { type Border, type LossRecord, noteMessage } from "../core/message/notes.js";
import type { CustomMessage, Loss } from "../core/types.js";
import type { History } from "./history.js";

/**
 * Whether a loss is stored in the session. What was dropped or changed is; of what was made up, only whole messages, results
 * included. A neutral value in a field that the target requires, such as a timestamp, tells a person nothing. A view is another program's file of the whole session and lacks many small
 * fields, always the same ones: only messages and content that are missing from it are stored.
 */
function isStored({ severity, of }: Loss, border: Border): boolean {
  if (border === "view") return severity === "dropped" && of !== undefined;
  return severity !== "synthesised" || of === "message";
}

/** Why losses occur, one for each. Ids and names that a reason quotes do not make it another one. */
export function causesOf({ border, target, losses }: LossRecord): string[] {
  return losses.map(({ severity, why }) =>
    JSON.stringify([border, target, severity, why.replaceAll(/"[^"]*"/g, '""')]),
  );
}

/**
 * The first loss of each cause of one translation, in the memory of the causes alone: a transcript of any size can be
 * imported.
 */
export class FirstLosses {
  readonly #border: Border;
  readonly #target: string;
  readonly #causes = new Set<string>();
  readonly #losses: Loss[] = [];

  constructor(border: Border, target: string) {
    this.#border = border;
    this.#target = target;
  }

  add(loss: Loss): void {
    const [cause] = causesOf({ ...this.record, losses: [loss] });
    if (cause === undefined || !isStored(loss, this.#border) || this.#causes.has(cause)) return;
    this.#causes.add(cause);
    this.#losses.push(loss);
  }

  get record(): LossRecord {
    return { border: this.#border, target: this.#target, losses: this.#losses };
  }

  /** The line that says so, if anything was lost. */
  note(timestamp: number): CustomMessage[] {
    if (this.#losses.length === 0) return [];
    return [noteMessage({ type: "dragoman/losses", data: this.record }, timestamp)];
  }
}

export interface LossLedgerOptions {
  history(): History;
  /** Hears of every loss, for counting. */
  onLosses?: ((record: LossRecord) => void) | undefined;
  /** Hears of what was stored. */
  onStored(record: LossRecord): void;
  onFailure(error: unknown): void;
}

/** The losses of one session's translations. Each cause is stored once, in a note that no model is shown. */
export class LossLedger {
  readonly #options: LossLedgerOptions;
  #pending: LossRecord[] = [];

  constructor(options: LossLedgerOptions) {
    this.#options = options;
  }

  /** Keeps losses in memory until `flush`, so that nothing waits for the disk. */
  add(border: Border, target: string, losses: readonly Loss[]): void {
    if (losses.length === 0) return;
    const record = { border, target, losses: [...losses] };
    this.#options.onLosses?.(record);
    this.#pending.push(record);
  }

  /**
   * Stores what was held and is new. A failure is reported: that a loss could not be recorded must not stop a run. What was
   * not stored is held for the next time.
   */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const held = this.#pending;
    this.#pending = [];
    const history = this.#options.history();
    let records: LossRecord[] = [];
    try {
      await history.read();
      records = held.map((record) => firstOfCauses(record, history)).filter(isFilled);
      if (records.length === 0) return;
      const now = Date.now();
      await history.append(records.map((data) => noteMessage({ type: "dragoman/losses", data }, now)));
      for (const record of records) this.#options.onStored(record);
    } catch (error) {
      history.releaseCauses(records.flatMap(causesOf));
      this.#pending = [...onceEach(held), ...this.#pending];
      this.#options.onFailure(error);
    }
  }
}

function isFilled({ losses }: LossRecord): boolean {
  return losses.length > 0;
}

/** The first loss of each cause: a disk that is full for long must not fill the memory. */
function onceEach(records: readonly LossRecord[]): LossRecord[] {
  const causes = new Set<string>();
  const claimCause = (cause: string) => causes.size < causes.add(cause).size;
  return records.map((record) => firstOfCauses(record, { claimCause })).filter(isFilled);
}

/** The first loss of each cause that the log does not have yet. */
function firstOfCauses(record: LossRecord, log: Pick<History, "claimCause">): LossRecord {
  const losses = record.losses.filter((loss) => isStored(loss, record.border));
  const causes = causesOf({ ...record, losses });
  return { ...record, losses: losses.filter((_, index) => log.claimCause(causes[index] ?? "")) };
}
