import { useEffect, useMemo, useState } from "react";
import type { CodeSpan, Highlighter } from "./highlight.js";

/** Longer code stays plain. The limit is lower for streaming code, which is highlighted again for every delta. */
const LONGEST = 64_000;
const LONGEST_OPEN = 6_000;

let highlighter: Highlighter | undefined;

/** The code as highlighted spans; undefined while it is plain. The highlighter is loaded on first use. */
export function useHighlighted(
  code: string,
  language: string,
  open: boolean,
): readonly CodeSpan[] | undefined {
  const [, loaded] = useState(0);
  const wanted = language !== "" && code.length <= (open ? LONGEST_OPEN : LONGEST);
  const ready = wanted && highlighter?.isLoaded(language) === true;
  useEffect(() => {
    if (!wanted || ready) return;
    let isMounted = true;
    // After a server update the highlighter's files may be gone; the code then stays plain.
    load(language).then(
      (found) => isMounted && found && loaded((times) => times + 1),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [wanted, ready, language]);
  return useMemo(() => (ready ? highlighter?.spans(code, language) : undefined), [ready, code, language]);
}

async function load(language: string): Promise<boolean> {
  highlighter ??= (await import("./highlight.js")).highlighter;
  return highlighter.load(language);
}
