import { addCounts, dayOf, emptyCounts, type UsageCounts, type UsageRecord } from "./record.js";

/** What usage can be listed by. */
export const DIMENSIONS = ["day", "token", "agent", "model"] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** The usage of one day, token, agent or model. */
export interface UsageRow extends UsageCounts {
  /** `2026-11-16`, a token's id, an agent or a model. */
  name: string;
}

/** Sums records by one dimension. */
export class UsageReport {
  readonly total: UsageCounts = emptyCounts();
  readonly #by: Dimension;
  readonly #rows = new Map<string, UsageRow>();

  constructor(by: Dimension) {
    this.#by = by;
  }

  add(record: UsageRecord): void {
    const name = this.#by === "day" ? dayOf(record.at) : record[this.#by];
    const row = this.#rows.get(name) ?? { name, ...emptyCounts() };
    this.#rows.set(name, row);
    addCounts(row, record);
    addCounts(this.total, record);
  }

  /** Days in order; everything else by cost, then by tokens. */
  rows(): UsageRow[] {
    const rows = [...this.#rows.values()];
    const byName = (a: UsageRow, b: UsageRow) => (a.name < b.name ? -1 : 1);
    if (this.#by === "day") return rows.sort(byName);
    return rows.sort((a, b) => b.cost - a.cost || tokensOf(b) - tokensOf(a) || byName(a, b));
  }
}

function tokensOf({ input, output, cacheRead, cacheWrite }: UsageCounts): number {
  return input + output + cacheRead + cacheWrite;
}
