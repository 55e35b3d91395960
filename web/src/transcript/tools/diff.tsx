import { useState } from "react";
import { texts } from "../../text/texts.js";
import { each } from "../each.js";
import { visible } from "../visible-text.js";

const FIRST_LINES = 60;
const MORE_LINES = 1_000;

/** A unified diff. */
export function Diff({ text }: { text: string }) {
  const [shown, show] = useState(FIRST_LINES);
  const lines = text.replace(/\n$/, "").split("\n");
  const rest = lines.length - shown;
  return (
    <>
      <pre className="diff" tabIndex={0}>
        {each(lines.slice(0, shown), (line) => (
          <span className="diff-line" data-kind={kindOf(line)}>
            {visible(line)}
            {"\n"}
          </span>
        ))}
      </pre>
      {rest > 0 && (
        <button type="button" className="button-quiet" onClick={() => show(shown + MORE_LINES)}>
          {texts.transcript.showMoreLines(rest)}
        </button>
      )}
    </>
  );
}

function kindOf(line: string): "added" | "removed" | "place" | undefined {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@")) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : undefined;
}
