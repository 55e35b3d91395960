import type { Catalogue, SessionSummary } from "../log/catalogue/types.js";

/** A place where sessions that share their beginning continue differently. */
export interface Branch {
  /** The id of the last message that they share; absent if they differ from the first one on. */
  after?: string;
  /** The ids of the sessions, one for each continuation: the original, then its forks by age. */
  sessions: string[];
  /** The index of the continuation that the session has. */
  current: number;
}

type Family = ReadonlyMap<string, SessionSummary>;

/** More forks of one conversation are not looked for. */
const MAX_FAMILY = 500;
/** A fork that shares no message with its original. */
const START = "";

/** Where a session and its relatives by forking continue differently. A fork's messages have the ids of the original. */
export async function branchesOf(
  catalogue: Pick<Catalogue, "get" | "list">,
  session: SessionSummary,
  mayRead: (session: SessionSummary) => boolean,
): Promise<Branch[]> {
  const family = await familyOf(catalogue, session, mayRead);
  const forks = new Map<string, SessionSummary[]>();
  for (const member of family.values()) {
    const place = placeOf(member, family);
    if (place !== undefined) forks.set(place, [...(forks.get(place) ?? []), member]);
  }
  return [...forks].flatMap(([place, members]) => {
    const [first] = members;
    const original = first === undefined ? undefined : originalOf(first, place, family);
    if (original === undefined) return [];
    members.sort((a, b) => (a.created ?? 0) - (b.created ?? 0) || (a.id < b.id ? -1 : 1));
    const sessions = [original.id, ...members.map(({ id }) => id)];
    const current = sessions.indexOf(continuationOf(session, place, family)?.id ?? original.id);
    return [{ ...(place === START ? {} : { after: place }), sessions, current }];
  });
}

/** The session, everything that it was forked from, and all their forks. */
async function familyOf(
  catalogue: Pick<Catalogue, "get" | "list">,
  session: SessionSummary,
  mayRead: (session: SessionSummary) => boolean,
): Promise<Family> {
  const family = new Map([[session.id, session]]);
  let root = session;
  for (let { parent } = root; isFork(root) && parent !== undefined; { parent } = root) {
    const found = await catalogue.get(parent.session);
    if (found === undefined || family.has(found.id) || !mayRead(found)) break;
    family.set(found.id, found);
    root = found;
  }
  const unvisited = [...family.keys()];
  for (let id = unvisited.pop(); id !== undefined && family.size < MAX_FAMILY; id = unvisited.pop()) {
    for (const child of await catalogue.list({ parent: id })) {
      if (family.has(child.id) || !isFork(child) || !mayRead(child)) continue;
      family.set(child.id, child);
      unvisited.push(child.id);
    }
  }
  return family;
}

function isFork({ parent, foreign }: SessionSummary): boolean {
  return parent !== undefined && parent.toolCallId === undefined && !foreign;
}

/** Where a fork leaves its original; undefined for a session that is not a fork of a member. */
function placeOf(member: SessionSummary, family: Family): string | undefined {
  const { parent } = member;
  if (!isFork(member) || parent?.message === undefined || !family.has(parent.session)) return undefined;
  // The header, which is the first entry, has the id of its session.
  return parent.message === parent.session ? START : parent.message;
}

/** The session that a fork leaves at a place, and that is not itself a fork there. */
function originalOf(fork: SessionSummary, place: string, family: Family): SessionSummary | undefined {
  let original = parentOf(fork, family);
  while (original !== undefined && placeOf(original, family) === place) original = parentOf(original, family);
  return original;
}

/** The session itself or its nearest ancestor that is a fork at a place. */
function continuationOf(session: SessionSummary, place: string, family: Family): SessionSummary | undefined {
  let member: SessionSummary | undefined = session;
  while (member !== undefined && placeOf(member, family) !== place) member = parentOf(member, family);
  return member;
}

function parentOf({ parent }: SessionSummary, family: Family): SessionSummary | undefined {
  return parent === undefined ? undefined : family.get(parent.session);
}
