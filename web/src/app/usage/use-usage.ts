import type { DragomanClient, Result } from "dragoman/client";
import { useEffect, useState } from "react";
import { errorText } from "../state/plain-words.js";

export type UsageList = Result<"usage.list">;
export type UsageRow = UsageList["rows"][number];
export type UsageBudget = UsageList["budgets"][number];

/** What is counted: the calls that this gateway made, or the answers stored in the sessions of all programs. */
export type Counted = "calls" | "sessions";
export type Dimension = "day" | "model" | "agent" | "token" | "source" | "project";

export const dimensionsOf: Readonly<Record<Counted, readonly Dimension[]>> = {
  calls: ["model", "day", "agent", "token"],
  sessions: ["source", "day", "model", "project"],
};

const DAY_MS = 86_400_000;

/** When the first of the last `days` days began, UTC. */
export function firstMoment(now: number, days: number): number {
  return (Math.floor(now / DAY_MS) - days + 1) * DAY_MS;
}

/** Every day of the period, without gaps: `2026-11-16`, UTC. */
export function daysSince(since: number, now: number): string[] {
  const days: string[] = [];
  for (let time = since; time <= now; time += DAY_MS) days.push(new Date(time).toISOString().slice(0, 10));
  return days;
}

export interface Usage {
  /** Sums by day. */
  days: UsageList;
  /** Sums by the chosen dimension. */
  list: UsageList;
}

type SpendingRow = Result<"sessions.spending">["rows"][number];

/** Sums of answers, in the form of sums of calls. */
export function listOf(rows: readonly SpendingRow[]): UsageList {
  const counted = rows.map(({ name = "", answers, usage, unknownPrices }) => ({
    name,
    calls: answers,
    input: usage.input,
    output: usage.output,
    cacheRead: usage.cacheRead,
    cacheWrite: usage.cacheWrite,
    reasoning: 0,
    cost: usage.cost.total,
    unpriced: unknownPrices ? answers : 0,
  }));
  const sum = (field: keyof UsageList["total"]) => counted.reduce((total, row) => total + row[field], 0);
  const total = {
    calls: sum("calls"),
    input: sum("input"),
    output: sum("output"),
    cacheRead: sum("cacheRead"),
    cacheWrite: sum("cacheWrite"),
    reasoning: 0,
    cost: sum("cost"),
    unpriced: sum("unpriced"),
  };
  return { rows: counted, total, budgets: [] };
}

/** The sums of one dimension since a time. */
async function sumsBy(
  client: DragomanClient,
  counted: Counted,
  by: Dimension,
  since: number,
): Promise<UsageList> {
  if (counted === "calls") {
    return client.call("usage.list", { by: by === "source" || by === "project" ? "model" : by, since });
  }
  const grouping = by === "agent" || by === "token" ? "source" : by;
  return listOf((await client.call("sessions.spending", { by: grouping, since })).rows);
}

/** The usage since a time; undefined while it is loading. */
export function useUsage(
  client: DragomanClient,
  counted: Counted,
  by: Dimension,
  since: number,
): { usage?: Usage; error?: string } {
  const [state, setState] = useState<{ usage?: Usage; error?: string }>({});
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const [days, list] = await Promise.all([
        sumsBy(client, counted, "day", since),
        sumsBy(client, counted, by, since),
      ]);
      return { usage: { days, list } };
    };
    load()
      .catch((error: unknown) => ({ error: errorText(error) }))
      .then((loaded) => {
        if (isCurrent) setState(loaded);
      });
    return () => {
      isCurrent = false;
    };
  }, [client, counted, by, since]);
  return state;
}
