import { type CSSProperties, type KeyboardEvent, useRef } from "react";
import { visible } from "../../transcript/visible-text.js";
import type { Branch } from "../model/branch.js";
import { excerptOf } from "../model/excerpt.js";
import type { OpenTranscript } from "../model/open-transcript.js";
import type { Segment } from "../model/tree.js";

/** The tree of branches. Up and down walk through it, and what is walked to is shown. */
export function BranchesPanel({ transcript, branch }: { transcript: OpenTranscript; branch: Branch }) {
  const { segments } = transcript.tree;
  const list = useRef<HTMLDivElement>(null);
  const taken = takenSegments(segments, branch.end);
  const current = branch.end?.index ?? 0;
  const goTo = ({ messages: [first] }: Segment) => {
    if (first !== undefined) transcript.goTo(first);
  };
  const walk = (event: KeyboardEvent, index: number) => {
    const next = nextRow(event.key, segments, index);
    const segment = next === undefined ? undefined : segments[next];
    if (segment === undefined) return;
    event.preventDefault();
    goTo(segment);
    list.current?.querySelectorAll<HTMLElement>("[role=treeitem]")[segment.index]?.focus();
  };
  return (
    <>
      <p className="viewer-quiet viewer-summary">
        Where the conversation was taken up again. Choose a branch to read it.
      </p>
      <div role="tree" aria-label="Branches" className="viewer-tree" ref={list}>
        {segments.map((segment) => (
          <button
            key={segment.index}
            type="button"
            role="treeitem"
            aria-level={segment.depth + 1}
            aria-selected={taken.has(segment.index)}
            tabIndex={segment.index === current ? 0 : -1}
            className="viewer-branch"
            style={indent(segment)}
            onClick={() => goTo(segment)}
            onKeyDown={(event) => walk(event, segment.index)}
          >
            <span className="viewer-branch-text">{titleOf(transcript, segment)}</span>
            <span className="viewer-quiet">{segment.messages.length}</span>
          </button>
        ))}
      </div>
    </>
  );
}

const DEEPEST = 10;

function indent({ depth }: Segment): CSSProperties {
  return { paddingInlineStart: `${0.75 + Math.min(depth, DEEPEST) * 1.1}rem` };
}

function takenSegments(segments: readonly Segment[], end: Segment | undefined): Set<number> {
  const taken = new Set<number>();
  for (let at = end; at !== undefined; at = at.parent === undefined ? undefined : segments[at.parent]) {
    taken.add(at.index);
  }
  return taken;
}

function nextRow(key: string, segments: readonly Segment[], index: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return index + 1;
    case "ArrowUp":
      return index - 1;
    case "ArrowLeft":
      return segments[index]?.parent;
    case "ArrowRight":
      return segments[index]?.children[0];
    case "Home":
      return 0;
    case "End":
      return segments.length - 1;
    default:
      return undefined;
  }
}

/** The first words of a branch. */
function titleOf({ messages }: OpenTranscript, segment: Segment): string {
  for (const index of segment.messages) {
    const message = messages[index];
    const text = message === undefined ? "" : excerptOf(message);
    if (text !== "") return visible(text);
  }
  return messages[segment.messages[0] ?? 0]?.role ?? "";
}
