import type { Result } from "dragoman/client";
import { useEffect, useState } from "react";
import { useConnected } from "../app-context.js";
import { plainWords } from "../state/plain-words.js";

/** While somebody types, only what they stop at is searched for. */
const PAUSE_MS = 120;
const LIMIT = 30;

export interface Hits {
  hits: Result<"sessions.search">["hits"];
  /** How many there are, or why there are none. */
  told: string;
}

const nothing: Hits = { hits: [], told: "" };

export function useHits(query: string): Hits {
  const { app, client } = useConnected();
  const [found, setFound] = useState<Hits>(nothing);
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
        // Their titles are worth waiting for; a session of another program has none here.
        await Promise.allSettled([...new Set(hits.map(({ session }) => session))].map((id) => app.know(id)));
        const told = hits.length === 0 ? "Nothing was said with these words." : `${hits.length} found`;
        if (isWanted) setFound({ hits, told });
      } catch (error) {
        if (isWanted) setFound({ hits: [], told: plainWords(error) });
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
