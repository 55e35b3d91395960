import { isChannelName } from "../../channels/registry.js";
import { HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import { peerOf } from "../../log/key.js";
import { branchesOf } from "../../runtime/branches.js";
import { groupSpending } from "../../runtime/usage/spending-groups.js";
import { mayUse } from "../auth/permit.js";
import { ownsComputer } from "../readable-sessions.js";
import type { Methods } from "./context.js";
import { indexedFilter, requireAdmin, summaryNamed } from "./stored-transcript.js";

type Finding = "sessions.search" | "sessions.filters" | "sessions.branches" | "sessions.spending";

export const findingMethods: Pick<Methods<"sessions">, Finding> = {
  async "sessions.search"({ query, source, ...filters }, context) {
    const { catalogue } = context.gateway.runtime;
    if (filters.folder !== undefined) requireAdmin(context.permit);
    const filter = await indexedFilter(source, context);
    const { hits, ...counts } = await catalogue.search(query, { ...filters, ...filter });
    const shown = hits.map(({ source: found, ...hit }) =>
      found === HOME_SOURCE ? hit : { ...hit, source: found },
    );
    return { hits: shown, ...counts };
  },

  async "sessions.filters"(_, context) {
    const { gateway, permit } = context;
    const source = ownsComputer(permit) ? "all" : undefined;
    const sessions = await gateway.runtime.catalogue.list(await indexedFilter(source, context));
    return {
      sources: counted(sessions, (session) => session.source),
      agents: counted(sessions, ({ source: from, agent }) => (from === HOME_SOURCE ? agent : undefined)),
      channels: counted(sessions, channelOf),
      folders: permit.scope === "admin" ? counted(sessions, ({ folder }) => folder) : [],
    };
  },

  async "sessions.branches"({ sessionKey }, { gateway: { runtime }, permit }) {
    const session = await summaryNamed(runtime, sessionKey, permit);
    const mayRead = ({ agent }: SessionSummary) => mayUse(permit, agent);
    return { branches: await branchesOf(runtime.catalogue, session, mayRead) };
  },

  async "sessions.spending"({ by, since, until }, context) {
    const { gateway, permit } = context;
    const source = ownsComputer(permit) ? "all" : undefined;
    const filter = await indexedFilter(source, context);
    const spending = await gateway.runtime.catalogue.spending(filter);
    const [first, last] = [dayOf(since), dayOf(until)];
    const isWanted = (day: string | undefined) =>
      day === undefined
        ? first === undefined && last === undefined
        : (first === undefined || day >= first) && (last === undefined || day <= last);
    return {
      rows: groupSpending(
        spending.filter(({ day }) => isWanted(day)),
        by,
      ),
    };
  },
};

/** The names of something that sessions have, and how many have it; the most frequent first. */
function counted(
  sessions: readonly SessionSummary[],
  nameOf: (session: SessionSummary) => string | undefined,
): { name: string; sessions: number }[] {
  const counts = new Map<string, number>();
  for (const session of sessions) {
    const name = nameOf(session);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, total]) => ({ name, sessions: total }))
    .sort((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1));
}

/** The platform in a key, without the account: `telegram` in `agent:main:telegram@work:dm:42`. */
function channelOf({ key, source }: SessionSummary): string | undefined {
  if (key === undefined || source !== HOME_SOURCE) return undefined;
  const channel = peerOf(key)?.channel.replace(/@.*/s, "");
  return channel !== undefined && isChannelName(channel) ? channel : undefined;
}

/** `2026-11-16`, UTC. */
function dayOf(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 10);
}
