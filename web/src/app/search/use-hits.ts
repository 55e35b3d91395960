import type { Result } from "dragoman/client";
import { useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import { errorText } from "../state/plain-words.js";

/** Searches only after a pause in typing. */
const PAUSE_MS = 120;
const LIMIT = 200;
/** More matches of a session are only counted, so that it does not hide the others. */
const PER_SESSION = 3;

type Hit = Result<"sessions.search">["hits"][number];

export interface SearchHits {
  hits: (Hit & {
    /** How many more matches its session has, at the last one that is listed. */
    more?: number;
  })[];
  /** How many hits there are, or why there are none. */
  status: string;
}

const nothing: SearchHits = { hits: [], status: "" };

export function useSearch(query: string): SearchHits {
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
        const { hits } = await client.call("sessions.search", { query: wanted, limit: LIMIT });
        // Wait for the sessions' titles; some sessions have none.
        await Promise.allSettled(
          [...new Set(hits.map(({ session }) => session))].map((id) => app.ensureListed(id)),
        );
        if (isWanted) setFound({ hits: groupHits(hits), status: statusOf(hits) });
      } catch (error) {
        if (isWanted) setFound({ hits: [], status: errorText(error) });
      }
    };
    const timer = setTimeout(() => void search(), PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [query, client, app]);
  return found;
}

/** `12 matches in 3 sessions`; of a search that was cut off, `More than 200 matches`. */
export function statusOf(hits: readonly Pick<Hit, "session">[]): string {
  if (hits.length === 0) return texts.search.noMatch;
  const sessions = new Set(hits.map(({ session }) => session)).size;
  return hits.length >= LIMIT
    ? texts.search.moreThan(LIMIT, sessions)
    : texts.search.matches(hits.length, sessions);
}

/** The best matches of each session together, in the order of their best ones. */
export function groupHits<H extends Pick<Hit, "session">>(hits: readonly H[]): (H & { more?: number })[] {
  const groups = new Map<string, H[]>();
  for (const hit of hits) groups.set(hit.session, [...(groups.get(hit.session) ?? []), hit]);
  return [...groups.values()].flatMap((group) => {
    const more = group.length - PER_SESSION;
    return group
      .slice(0, PER_SESSION)
      .map((hit, at) => (more > 0 && at === PER_SESSION - 1 ? { ...hit, more } : hit));
  });
}
