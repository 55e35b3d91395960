import { useState } from "react";

interface LongTextProps {
  text: string;
  label: string;
  /** A line to make stand out, counted from 1. */
  mark?: number;
}

/** More than this at once makes a page slow. */
const SHOWN = 100_000;

/** Text as it is, the first part of it if it is very long. */
export function LongText({ text, label, mark }: LongTextProps) {
  const [all, setAll] = useState(false);
  const shown = all ? text : text.slice(0, SHOWN);
  const [before, marked, after] = mark === undefined ? [shown, "", ""] : aroundLine(shown, mark);
  return (
    <section className="viewer-text" aria-label={label}>
      <pre>
        {before}
        {marked === "" ? null : <mark>{marked}</mark>}
        {after}
      </pre>
      {shown.length < text.length ? (
        <button type="button" className="viewer-button" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString("en-US")} characters
        </button>
      ) : null}
    </section>
  );
}

function aroundLine(text: string, line: number): [string, string, string] {
  let start = 0;
  for (let left = line; left > 1; left--) {
    const end = text.indexOf("\n", start);
    if (end < 0) return [text, "", ""];
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const stop = end < 0 ? text.length : end;
  return [text.slice(0, start), text.slice(start, stop), text.slice(stop)];
}
