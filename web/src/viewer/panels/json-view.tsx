import { useMemo, useState } from "react";
import { texts } from "../../text/texts.js";
import { viewerTexts } from "../../text/viewer-texts.js";
import { CopyButton } from "../../theme/copy-button.js";
import { byteSize } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { type JsonLine, jsonLines, shownLines } from "../model/json-lines.js";

const FIRST_LINES = 400;
const FIRST_CHARS = 600;

/** Formatted JSON whose objects and arrays can be folded. Give it a key, so that another text starts unfolded. */
export function JsonView({ text }: { text: string }) {
  const lines = useMemo(() => jsonLines(text), [text]);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [limit, setLimit] = useState(FIRST_LINES);
  const inner = useMemo(
    () => lines.flatMap(({ end }, at) => (end === undefined || at === 0 ? [] : [at])),
    [lines],
  );
  const shown = useMemo(() => shownLines(lines, folded), [lines, folded]);
  const toggle = (at: number) => {
    const next = new Set(folded);
    if (!next.delete(at)) next.add(at);
    setFolded(next);
  };
  const words = viewerTexts.json;
  return (
    <div className="viewer-json">
      <div className="viewer-json-actions">
        {inner.length === 0 ? null : (
          <button
            type="button"
            className="button-quiet"
            onClick={() => setFolded(new Set(folded.size === 0 ? inner : []))}
          >
            {folded.size === 0 ? words.foldAll : words.unfoldAll}
          </button>
        )}
        <CopyButton text={() => text} />
      </div>
      <div className="viewer-json-lines" dir="ltr">
        {shown.slice(0, limit).map((at) => (
          <Line key={at} line={lines[at]} at={at} isFolded={folded.has(at)} onToggle={() => toggle(at)} />
        ))}
      </div>
      {shown.length > limit ? (
        <button type="button" className="button-quiet" onClick={() => setLimit(limit + 10 * FIRST_LINES)}>
          {viewerTexts.showMore}
        </button>
      ) : null}
    </div>
  );
}

interface LineProps {
  line: JsonLine | undefined;
  at: number;
  isFolded: boolean;
  onToggle: () => void;
}

function Line({ line, at, isFolded, onToggle }: LineProps) {
  const [chars, setChars] = useState(FIRST_CHARS);
  if (line === undefined) return null;
  const { text, end } = line;
  if (end !== undefined) {
    return (
      <button type="button" className="viewer-json-line" aria-expanded={!isFolded} onClick={onToggle}>
        {visible(text)}
        {isFolded ? (
          <span className="viewer-quiet">
            {" "}
            … {viewerTexts.json.hidden(end - at - 1)} {text.endsWith("{") ? "}" : "]"}
          </span>
        ) : null}
      </button>
    );
  }
  const rest = text.length - chars;
  return (
    <div className="viewer-json-line">
      {visible(rest > 0 ? text.slice(0, chars) : text)}
      {rest > 0 ? (
        <button type="button" className="button-quiet" onClick={() => setChars(chars * 100)}>
          {texts.transcript.showMore(byteSize(rest))}
        </button>
      ) : null}
    </div>
  );
}
