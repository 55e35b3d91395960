import { type ReactNode, useState } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { each } from "../../transcript/each.js";

interface FindingListProps<T> {
  label: string;
  findings: readonly T[];
  /** Marks the one that the reader is at. */
  isCurrent?: (finding: T) => boolean;
  onChoose: (finding: T) => void;
  children: (finding: T) => ReactNode;
}

const STEP = 200;

/** A list of problems, prompts or losses that link to their places, shown in parts. */
export function FindingList<T>({ label, findings, isCurrent, onChoose, children }: FindingListProps<T>) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul className="viewer-list" aria-label={label}>
        {each(findings.slice(0, shown), (finding) => (
          <li>
            <button
              type="button"
              className="viewer-finding"
              aria-current={isCurrent?.(finding) === true ? "true" : undefined}
              onClick={() => onChoose(finding)}
            >
              {children(finding)}
            </button>
          </li>
        ))}
      </ul>
      {shown < findings.length ? (
        <button type="button" className="button" onClick={() => setShown(shown + STEP)}>
          {viewerTexts.showMore}
        </button>
      ) : null}
    </>
  );
}
