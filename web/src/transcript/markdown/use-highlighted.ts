import { useEffect, useMemo, useState } from "react";
import type { CodeSpan, Highlighter } from "./highlight.js";

/** Longer code stays plain; while it is written it is read again with every delta, so that the limit is lower. */
const LONGEST = 64_000;
const LONGEST_OPEN = 6_000;

let highlighter: Highlighter | undefined;

/** The code cut into spans with a class each; undefined while it is plain. What can colour it is loaded when first needed. */
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
    let here = true;
    // Without its colours code is still code: after an update of the server their files may be gone.
    load(language).then(
      (found) => here && found && loaded((times) => times + 1),
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [wanted, ready, language]);
  return useMemo(() => (ready ? highlighter?.spans(code, language) : undefined), [ready, code, language]);
}

async function load(language: string): Promise<boolean> {
  highlighter ??= (await import("./highlight.js")).highlighter;
  return highlighter.load(language);
}
