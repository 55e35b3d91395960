import { sumUsage } from "../../core/message/usage.js";
import type { Usage } from "../../core/types.js";
import type { Spending } from "../../log/catalogue/types.js";

/** What answers can be grouped by. */
export type Grouping = "day" | "model" | "project" | "source";

/** The answers of one day, model, project folder or source. */
export interface SpendingGroup {
  /** Absent if it is unknown. */
  name?: string;
  sessions: number;
  answers: number;
  usage: Usage;
  unknownPrices: boolean;
}

const nameOf: Record<Grouping, (spending: Spending) => string | undefined> = {
  day: ({ day }) => day,
  model: ({ model }) => model,
  project: ({ folder }) => folder,
  source: ({ source }) => source,
};

/** Groups answers: days in order, everything else by the number of tokens, the most first. */
export function groupSpending(spending: readonly Spending[], by: Grouping): SpendingGroup[] {
  const groups = new Map<string | undefined, Spending[]>();
  for (const one of spending) {
    const name = nameOf[by](one);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  const rows = [...groups].map(([name, parts]) => ({
    ...(name === undefined ? {} : { name }),
    sessions: new Set(parts.map(({ session, source }) => `${source} ${session}`)).size,
    answers: parts.reduce((sum, { answers }) => sum + answers, 0),
    usage: sumUsage(parts.map(({ usage }) => usage)),
    unknownPrices: parts.some(({ unknownPrices }) => unknownPrices),
  }));
  const byName = (a: SpendingGroup, b: SpendingGroup) => ((a.name ?? "") < (b.name ?? "") ? -1 : 1);
  return rows.sort(
    by === "day" ? byName : (a, b) => b.usage.totalTokens - a.usage.totalTokens || byName(a, b),
  );
}
