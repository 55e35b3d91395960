import { useCallback, useEffect, useState } from "react";
import type { Item } from "../transcript/items.js";
import { findRows, type Hit } from "./model/search.js";
import { createYielder, pause } from "./work/slices.js";

export interface Find {
  query: string;
  setQuery: (query: string) => void;
  /** Undefined until the first search has ended. */
  hits: readonly Hit[] | undefined;
  /** The position of the current hit. */
  at: number;
  /** A new object for each move, so that moving to the same hit again scrolls to it. */
  current: { hit: Hit } | undefined;
  /** Goes to the next or the previous hit, and around. */
  move: (step: 1 | -1) => void;
}

interface Found extends Pick<Find, "hits" | "at" | "current"> {
  /** What was searched for. */
  query: string;
}

const nothing: Found = { query: "", hits: undefined, at: 0, current: undefined };

/** Searches the items on display, again whenever they change. */
export function useFind(items: readonly Item[]): Find {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (query === "") return setFound(nothing);
    const { signal, abort } = abortable();
    const breathe = createYielder(pause, () => performance.now());
    void findRows(items, query, {
      breathe,
      signal,
      onHits: (hits) => setFound((before) => foundAfter(before, query, hits)),
    });
    return abort;
  }, [items, query]);
  const move = useCallback((step: 1 | -1) => {
    setFound((before) => {
      const { hits = [], at } = before;
      const next = (at + step + hits.length) % Math.max(1, hits.length);
      const hit = hits[next];
      return hit === undefined ? before : { ...before, at: next, current: { hit } };
    });
  }, []);
  const { hits, at, current } = found;
  return { query, setQuery, hits, at, current, move };
}

/** A new text is shown at its first hit. If only the items have changed, as in a replay, the reader stays where they are. */
function foundAfter(before: Found, query: string, hits: readonly Hit[]): Found {
  const [first] = hits;
  if (before.query !== query) {
    return { query, hits, at: 0, current: first === undefined ? undefined : { hit: first } };
  }
  const at = hits.findIndex(({ key }) => key === before.current?.hit.key);
  return { query, hits, at: Math.max(0, at), current: at < 0 ? undefined : before.current };
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
