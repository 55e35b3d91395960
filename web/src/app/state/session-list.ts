import type { Result, RpcSessionEvent, RpcSessionInfo } from "dragoman/client";

/** The sessions listed so far, by id. */
export interface SessionList {
  sessions: ReadonlyMap<string, RpcSessionInfo>;
  /** The ids of sessions whose agent is working. */
  busy: ReadonlySet<string>;
  /** The ids of those among them that wait for an answer of the user. */
  asking: ReadonlySet<string>;
  /** The cursor of the next page. */
  next?: string;
  isLoaded: boolean;
}

const none: ReadonlySet<string> = new Set();

export const emptyList: SessionList = {
  sessions: new Map(),
  busy: none,
  asking: none,
  isLoaded: false,
};

/** The first page. */
export function listOf({ sessions, next, busy, asking }: Result<"sessions.list">): SessionList {
  const membersOf = (ids: readonly string[]) => (ids.length === 0 ? none : new Set(ids));
  const list = { ...emptyList, busy: membersOf(busy), asking: membersOf(asking) };
  return withNext(list, byId(sessions), next);
}

/** Adds a page. Sessions already listed are newer than the page. */
export function withPage(list: SessionList, { sessions, next }: Result<"sessions.list">): SessionList {
  return withNext(list, new Map([...byId(sessions), ...list.sessions]), next);
}

export function withSession(list: SessionList, session: RpcSessionInfo): SessionList {
  return { ...list, sessions: new Map(list.sessions).set(session.id, session) };
}

export function withSessionEvent(list: SessionList, { session, busy, asking }: RpcSessionEvent): SessionList {
  return {
    ...withSession(list, session),
    busy: withMember(list.busy, session.id, busy),
    asking: withMember(list.asking, session.id, asking),
  };
}

/** The same set if nothing changes, so that nothing is rendered or loaded again. */
function withMember(members: ReadonlySet<string>, id: string, isMember: boolean): ReadonlySet<string> {
  if (members.has(id) === isMember) return members;
  const all = new Set(members);
  if (isMember) all.add(id);
  else all.delete(id);
  return all;
}

function byId(sessions: readonly RpcSessionInfo[]): Map<string, RpcSessionInfo> {
  return new Map(sessions.map((session) => [session.id, session]));
}

function withNext(
  { busy, asking }: SessionList,
  sessions: SessionList["sessions"],
  next: string | undefined,
): SessionList {
  return { sessions, busy, asking, isLoaded: true, ...(next === undefined ? {} : { next }) };
}
