import { type CSSProperties, type KeyboardEvent, useRef } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { count } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import type { Branch } from "../model/branch.js";
import { excerptOf } from "../model/excerpt.js";
import type { OpenTranscript } from "../model/open-transcript.js";
import { type Segment, segmentsTo } from "../model/tree.js";

/** The tree of branches. The arrow keys move in it and show the branch. */
export function BranchesPanel({ transcript, branch }: { transcript: OpenTranscript; branch: Branch }) {
  const { segments } = transcript.tree;
  const list = useRef<HTMLDivElement>(null);
  const onPath = segmentsTo(segments, branch.end);
  const current = branch.end?.index ?? 0;
  const goTo = ({ messages: [first] }: Segment) => {
    if (first !== undefined) transcript.goTo(first);
  };
  const move = (event: KeyboardEvent, index: number) => {
    const next = nextRow(event.key, segments, index);
    const segment = next === undefined ? undefined : segments[next];
    if (segment === undefined) return;
    event.preventDefault();
    goTo(segment);
    list.current?.querySelectorAll<HTMLElement>("[role=treeitem]")[segment.index]?.focus();
  };
  return (
    <>
      <p className="viewer-quiet viewer-summary">{viewerTexts.branches.about}</p>
      <div role="tree" aria-label={viewerTexts.branches.title} className="viewer-tree" ref={list}>
        {segments.map((segment) => (
          <button
            key={segment.index}
            type="button"
            role="treeitem"
            aria-level={segment.depth + 1}
            aria-selected={onPath.has(segment.index)}
            tabIndex={segment.index === current ? 0 : -1}
            className="viewer-branch"
            style={indent(segment)}
            onClick={() => goTo(segment)}
            onKeyDown={(event) => move(event, segment.index)}
          >
            <span className="viewer-branch-text one-line">{titleOf(transcript, segment)}</span>
            <span className="viewer-quiet">{count(segment.messages.length)}</span>
          </button>
        ))}
      </div>
    </>
  );
}

const MAX_INDENT = 10;

function indent({ depth }: Segment): CSSProperties {
  return { paddingInlineStart: `${0.75 + Math.min(depth, MAX_INDENT) * 1.1}rem` };
}

function nextRow(key: string, segments: readonly Segment[], index: number): number | undefined {
  const rows: Record<string, number | undefined> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    ArrowLeft: segments[index]?.parent,
    ArrowRight: segments[index]?.children[0],
    Home: 0,
    End: segments.length - 1,
  };
  return rows[key];
}

/** The first text of a branch. */
function titleOf({ messages }: OpenTranscript, segment: Segment): string {
  for (const index of segment.messages) {
    const message = messages[index];
    const text = message === undefined ? "" : excerptOf(message);
    if (text !== "") return visible(text);
  }
  return messages[segment.messages[0] ?? 0]?.role ?? "";
}
