import type { DragomanClient, Result } from "dragoman/client";
import { useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import type { ChatApp } from "../state/chat-app.js";
import { errorText } from "../state/plain-words.js";
import { filterParams, type SessionFilter } from "../state/session-filter.js";
import { titleOf } from "../state/session-title.js";

/** Searches only after a pause in typing. */
const PAUSE_MS = 120;
const LIMIT = 60;
/** More matches of a session are only counted, so that it does not hide the others. */
const PER_SESSION = 3;

type Hit = Result<"sessions.search">["hits"][number];

export interface SearchHits {
  hits: (Hit & {
    /** How many more matches its session has, at the last one that is listed. */
    more?: number;
    /** Its session's title. */
    title: string;
  })[];
  /** How many hits there are, or why there are none. */
  status: string;
}

const nothing: SearchHits = { hits: [], status: "" };

export function useSearch(query: string, filter: SessionFilter): SearchHits {
  const { app, client } = useConnected();
  const [found, setFound] = useState<SearchHits>(nothing);
  useEffect(() => {
    const wanted = query.trim();
    if (wanted === "") {
      setFound(nothing);
      return;
    }
    let isWanted = true;
    const search = async () => {
      try {
        const params = filterParams(filter, app.world.now());
        const { hits, total, more } = await client.call("sessions.search", {
          query: wanted,
          ...params,
          limit: LIMIT,
        });
        const titles = await titlesOf(hits, app, client);
        const titled = groupHits(hits).map((hit) => ({
          ...hit,
          title: titles.get(keyOf(hit)) ?? titleOf({}),
        }));
        if (isWanted) setFound({ hits: titled, status: statusOf(hits, total, more) });
      } catch (error) {
        if (isWanted) setFound({ hits: [], status: errorText(error) });
      }
    };
    const timer = setTimeout(() => void search(), PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [query, filter, client, app]);
  return found;
}

/** The titles of the hits' sessions; some have none. */
async function titlesOf(
  hits: readonly Hit[],
  app: ChatApp,
  client: DragomanClient,
): Promise<Map<string, string>> {
  const named = new Map(hits.map((hit) => [keyOf(hit), hit]));
  const titles = await Promise.allSettled(
    [...named].map(async ([key, { session: id, source }]) => {
      if (source !== undefined) {
        const { session } = await client.call("sessions.get", { sessionKey: id, source });
        return [key, titleOf(session)] as const;
      }
      await app.ensureListed(id);
      return [key, titleOf(app.list.get().sessions.get(id) ?? {})] as const;
    }),
  );
  return new Map(titles.flatMap((title) => (title.status === "fulfilled" ? [title.value] : [])));
}

/** Sessions of different programs may have the same id. */
function keyOf({ session, source = "" }: Pick<Hit, "session" | "source">): string {
  return `${source}/${session}`;
}

/** `12 matches in 3 sessions`; if not all are listed, `60 of 512 matches, in 7 sessions`. */
export function statusOf(hits: readonly Pick<Hit, "session">[], total: number, more = false): string {
  if (hits.length === 0) return texts.search.noMatch;
  const sessions = new Set(hits.map(({ session }) => session)).size;
  if (total <= hits.length) return texts.search.matches(hits.length, sessions);
  return more
    ? texts.search.someOfMore(hits.length, total, sessions)
    : texts.search.someOf(hits.length, total, sessions);
}

/** The best matches of each session together, in the order of their best ones. */
export function groupHits<H extends Pick<Hit, "session" | "source">>(
  hits: readonly H[],
): (H & { more?: number })[] {
  const groups = new Map<string, H[]>();
  for (const hit of hits) groups.set(keyOf(hit), [...(groups.get(keyOf(hit)) ?? []), hit]);
  return [...groups.values()].flatMap((group) => {
    const more = group.length - PER_SESSION;
    return group
      .slice(0, PER_SESSION)
      .map((hit, at) => (more > 0 && at === PER_SESSION - 1 ? { ...hit, more } : hit));
  });
}

/** An excerpt without the marks of Markdown that only disturb its reader: code, bold, and the rules of tables. */
export function withoutMarks(excerpt: string): string {
  return excerpt.replace(/`+|\*\*|(?:\| *:?-{2,}:? *)+\|/g, "");
}
