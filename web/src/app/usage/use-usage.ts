import type { DragomanClient, Result } from "dragoman/client";
import { useEffect, useState } from "react";
import { errorText } from "../state/plain-words.js";

export type UsageList = Result<"usage.list">;
export type UsageRow = UsageList["rows"][number];
export type UsageBudget = UsageList["budgets"][number];

export const DIMENSIONS = ["model", "agent", "token"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

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

/** The usage since a time; undefined while it is loading. */
export function useUsage(
  client: DragomanClient,
  by: Dimension,
  since: number,
): { usage?: Usage; error?: string } {
  const [state, setState] = useState<{ usage?: Usage; error?: string }>({});
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const [days, list] = await Promise.all([
        client.call("usage.list", { by: "day", since }),
        client.call("usage.list", { by, since }),
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
  }, [client, by, since]);
  return state;
}
