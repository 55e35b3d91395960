import type { RpcSessionInfo } from "dragoman/client";
import { texts } from "../../text/texts.js";
import { month } from "../../transcript/dates.js";
import type { SessionList } from "./session-list.js";

export interface SessionNode {
  session: RpcSessionInfo;
  /** The sessions of sub-agents started in it. */
  subAgents: SessionNode[];
}

export interface SessionGroup {
  title: string;
  nodes: SessionNode[];
}

const DAY_MS = 86_400_000;

/** The sessions by day of last activity, newest first, with sub-agents' sessions under the one that started them. */
export function groupsOf(
  { sessions }: Pick<SessionList, "sessions">,
  { archived, now }: { archived: boolean; now: number },
): SessionGroup[] {
  const shown = [...sessions.values()].filter((session) => session.archived === archived);
  const nodes = new Map(shown.map((session) => [session.id, { session, subAgents: [] as SessionNode[] }]));
  const groups = new Map<string, SessionNode[]>();
  for (const node of [...nodes.values()].sort((a, b) => lastActive(b) - lastActive(a))) {
    const { parent } = node.session;
    const starter = parent?.toolCallId === undefined ? undefined : nodes.get(parent.session);
    if (starter !== undefined) {
      starter.subAgents.push(node);
      continue;
    }
    const title = dayOf(lastActive(node), now);
    groups.set(title, [...(groups.get(title) ?? []), node]);
  }
  return [...groups].map(([title, members]) => ({ title, nodes: members }));
}

function lastActive({ session: { active, created } }: SessionNode): number {
  return active ?? created ?? 0;
}

function dayOf(time: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (time >= midnight) return texts.sideBar.groups.today;
  // Days with a clock change are longer or shorter than 24 hours.
  if (time >= new Date(midnight - DAY_MS / 2).setHours(0, 0, 0, 0)) return texts.sideBar.groups.yesterday;
  if (time >= midnight - 6 * DAY_MS) return texts.sideBar.groups.week;
  if (time === 0) return texts.sideBar.groups.undated;
  return month(time);
}
