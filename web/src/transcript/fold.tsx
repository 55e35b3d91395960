import { type ReactNode, useContext, useState } from "react";
import { TranscriptContext } from "./context.js";

export interface FoldProps {
  foldKey: string;
  className: string;
  summary: ReactNode;
  /** Rendered only while open. */
  children: () => ReactNode;
  startsOpen?: boolean;
  state?: string;
}

/** A collapsible section that remembers whether it was opened. */
export function Fold({ foldKey, className, summary, children, startsOpen = false, state }: FoldProps) {
  const { folds, sought } = useContext(TranscriptContext);
  const [chosen, choose] = useState(() => folds.get(foldKey));
  const open = chosen ?? (startsOpen || sought?.row === foldKey);
  const toggle = () => {
    folds.set(foldKey, !open);
    choose(!open);
  };
  return (
    <div className={`fold ${className}`} data-open={open} data-state={state}>
      <button type="button" className="fold-summary" aria-expanded={open} onClick={toggle}>
        {summary}
        <svg className="fold-arrow" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M6 4l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      </button>
      {open && <div className="fold-body">{children()}</div>}
    </div>
  );
}
