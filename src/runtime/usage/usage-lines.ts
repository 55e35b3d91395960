import { jsonIn } from "../../core/json/parse.js";
import type { LineReader, SharedLines, Store } from "../../log/store.js";
import { monthOf, readRecord, type UsageRecord } from "./record.js";

/** What the usage records need of a store. */
export type UsageLines = Pick<Store, "lines" | "lineNames">;

const FOLDER = "usage";

/** The records of a month, such as `2026-11`. */
export function linesOfMonth(store: UsageLines, month: string): SharedLines {
  return store.lines(`${FOLDER}/${month}`);
}

export interface UsageReaderOptions {
  apply(record: UsageRecord): void;
  /** The records were deleted or replaced: what was applied no longer counts. */
  reset(): void;
  onNote(text: string): void;
}

/** Reads the records among a month's lines, and later what was added to them. */
export function usageReader(lines: SharedLines, { apply, reset, onNote }: UsageReaderOptions): LineReader {
  return lines.reader({
    apply: (text, number) => {
      const record = text === undefined ? undefined : readRecord(jsonIn(text));
      if (record !== undefined) apply(record);
      else onNote(`${lines.where}: line ${number} is not a usage record; it is skipped`);
    },
    reset,
  });
}

/** When calls ended, in Unix milliseconds; `until` is not included. */
export interface Period {
  since?: number | undefined;
  until?: number | undefined;
}

/** Applies all stored records of a period, in the order they were stored. */
export async function readUsage(
  store: UsageLines,
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Period,
  { apply, onNote }: Pick<UsageReaderOptions, "apply" | "onNote">,
): Promise<void> {
  const first = Number.isFinite(since) ? monthOf(since) : "";
  const last = Number.isFinite(until) ? monthOf(until) : "9999-99";
  for (const name of await store.lineNames(FOLDER)) {
    const month = name.slice(FOLDER.length + 1);
    if (!/^\d{4}-\d{2}$/.test(month) || month < first || month > last) continue;
    const reader = usageReader(store.lines(name), {
      apply: (record) => {
        if (record.at >= since && record.at < until) apply(record);
      },
      reset: () => undefined,
      onNote,
    });
    await reader.readNew();
  }
}
