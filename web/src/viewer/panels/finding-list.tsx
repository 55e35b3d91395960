import { type ReactNode, useState } from "react";
import { each } from "../../transcript/each.js";

interface FindingListProps<T> {
  label: string;
  findings: readonly T[];
  onChoose: (finding: T) => void;
  children: (finding: T) => ReactNode;
}

const STEP = 200;

/** A list of problems or losses that link to their places, shown in parts. */
export function FindingList<T>({ label, findings, onChoose, children }: FindingListProps<T>) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul className="viewer-list" aria-label={label}>
        {each(findings.slice(0, shown), (finding) => (
          <li>
            <button type="button" className="viewer-finding" onClick={() => onChoose(finding)}>
              {children(finding)}
            </button>
          </li>
        ))}
      </ul>
      {shown < findings.length ? (
        <button type="button" className="button" onClick={() => setShown(shown + STEP)}>
          Show more
        </button>
      ) : null}
    </>
  );
}
