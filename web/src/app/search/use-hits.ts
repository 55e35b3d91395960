import type { Result } from "dragoman/client";
import { useEffect, useState } from "react";
import { counted } from "../../transcript/numbers.js";
import { useConnected } from "../app-context.js";
import { errorText } from "../state/plain-words.js";

/** Searches only after a pause in typing. */
const PAUSE_MS = 120;
const LIMIT = 30;

export interface SearchHits {
  hits: Result<"sessions.search">["hits"];
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
        const status = hits.length === 0 ? "No messages match." : counted(hits.length, "match", "matches");
        if (isWanted) setFound({ hits, status });
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
