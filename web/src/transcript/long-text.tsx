import { useState } from "react";
import { byteSize } from "./numbers.js";
import { visible } from "./visible-text.js";

const FIRST = 4_000;
const MORE = 64_000;

/** Text as it is, a part at a time: nobody waits for a megabyte that is only glanced at. */
export function LongText({ text, className = "" }: { text: string; className?: string }) {
  const [length, show] = useState(FIRST);
  const rest = text.length - length;
  const shown = rest > 0 ? text.slice(0, length) : text;
  return (
    <>
      <pre className={`long-text ${className}`} tabIndex={0} dir="auto">
        {visible(shown)}
      </pre>
      {rest > 0 && (
        <button type="button" className="button-quiet" onClick={() => show(length + MORE)}>
          Show more ({byteSize(rest)} left)
        </button>
      )}
    </>
  );
}
