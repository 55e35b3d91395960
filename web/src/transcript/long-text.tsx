import { useState } from "react";
import { texts } from "../text/texts.js";
import { byteSize } from "./numbers.js";
import { visible } from "./visible-text.js";

const FIRST_CHARS = 4_000;
const MORE_CHARS = 64_000;

/** Plain text, shown in parts so that a long text renders quickly. */
export function LongText({ text }: { text: string }) {
  const [length, show] = useState(FIRST_CHARS);
  const rest = text.length - length;
  const shown = rest > 0 ? text.slice(0, length) : text;
  return (
    <>
      <pre className="long-text" tabIndex={0} dir="auto">
        {visible(shown)}
      </pre>
      {rest > 0 && (
        <button type="button" className="button-quiet" onClick={() => show(length + MORE_CHARS)}>
          {texts.transcript.showMore(byteSize(rest))}
        </button>
      )}
    </>
  );
}
