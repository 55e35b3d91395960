import type { Result, RpcSessionEvent, RpcSessionInfo } from "dragoman/client";

/** The sessions listed so far, by id. */
export interface SessionList {
  sessions: ReadonlyMap<string, RpcSessionInfo>;
  /** The ids of sessions whose agent is working. */
  busy: ReadonlySet<string>;
  /** The cursor of the next page. */
  next?: string;
  isLoaded: boolean;
}

export const emptyList: SessionList = { sessions: new Map(), busy: new Set(), isLoaded: false };

/** The first page. */
export function listOf({ sessions, next, busy }: Result<"sessions.list">): SessionList {
  return withNext(byId(sessions), new Set(busy), next);
}

/** Adds a page. Sessions already listed are newer than the page. */
export function withPage(list: SessionList, { sessions, next }: Result<"sessions.list">): SessionList {
  return withNext(new Map([...byId(sessions), ...list.sessions]), list.busy, next);
}

export function withSession(list: SessionList, session: RpcSessionInfo): SessionList {
  return { ...list, sessions: new Map(list.sessions).set(session.id, session) };
}

export function withSessionEvent(list: SessionList, { session, busy }: RpcSessionEvent): SessionList {
  const all = new Set(list.busy);
  if (busy) all.add(session.id);
  else all.delete(session.id);
  return { ...withSession(list, session), busy: all };
}

function byId(sessions: readonly RpcSessionInfo[]): Map<string, RpcSessionInfo> {
  return new Map(sessions.map((session) => [session.id, session]));
}

function withNext(
  sessions: SessionList["sessions"],
  busy: SessionList["busy"],
  next: string | undefined,
): SessionList {
  return { sessions, busy, isLoaded: true, ...(next === undefined ? {} : { next }) };
}
