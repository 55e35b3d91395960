import type { Params } from "dragoman/client";

/** What a list of sessions, or a search, is limited to. */
export interface SessionFilter {
  source?: string;
  agent?: string;
  channel?: string;
  folder?: string;
  /** The last days, today included. */
  days?: number;
}

type FilterParams = Pick<Params<"sessions.list">, "source" | "agent" | "channel" | "folder" | "since">;

/** The gateway's own sessions, among the sources. */
const HOME = "dragoman";

/** The parameters of a listing. Without a source it includes all that the token may read. */
export function filterParams({ days, source, ...filter }: SessionFilter, now: number): FilterParams {
  // Agents and channels are those of the gateway's own sessions.
  const isHome = source === HOME || filter.agent !== undefined || filter.channel !== undefined;
  return {
    ...filter,
    ...(isHome ? {} : { source: source ?? "all" }),
    ...(days === undefined ? {} : { since: startOfDay(now, days) }),
  };
}

/** When the first of the last `days` days began, in the reader's time zone. */
function startOfDay(now: number, days: number): number {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).getTime();
}
