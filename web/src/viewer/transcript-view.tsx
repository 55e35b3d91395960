import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { each } from "../transcript/each.js";
import { type Item, itemsOf } from "../transcript/items.js";
import { Transcript, type TranscriptHandle } from "../transcript/transcript.js";
import { BranchSwitch } from "./branch-switch.js";
import { itemFor, messagesIn } from "./model/branch.js";
import type { OpenTranscript, View } from "./model/open-transcript.js";
import { ProblemText } from "./panels/problems-panel.js";

interface TranscriptViewProps {
  transcript: OpenTranscript;
  view: View;
  /** How many messages of the branch are shown. */
  shown: number;
  onInspect: (index: number) => void;
}

/** More would hide the message. */
const REMARKS = 4;

/** The messages, with problems shown above them. */
export function TranscriptView({ transcript, view, shown, onInspect }: TranscriptViewProps) {
  const { branch, selected, jump, check } = view;
  const list = useRef<TranscriptHandle>(null);
  const items = useMemo(() => itemsOf(branch.messages.slice(0, shown)), [branch, shown]);

  const indicesIn = useCallback(
    (item: Item) => messagesIn(item).flatMap((message) => transcript.indexOf.get(message) ?? []),
    [transcript],
  );
  const remarks = useCallback(
    (item: Item) => {
      const indices = indicesIn(item);
      const problems = indices.flatMap((index) => check.byMessage.get(index) ?? []);
      const isSelected = selected?.kind === "message" && indices.includes(selected.index);
      return (
        <>
          {isSelected ? <span className="viewer-here" /> : null}
          <BranchSwitch transcript={transcript} message={indices[0] ?? 0} />
          {problems.length === 0 ? null : (
            <ul className="viewer-remarks" aria-label="Problems in this message">
              {each(problems.slice(0, REMARKS), (problem) => (
                <li data-severity={problem.severity}>
                  <ProblemText problem={problem} />
                </li>
              ))}
              {problems.length > REMARKS ? <li>and {problems.length - REMARKS} more</li> : null}
            </ul>
          )}
        </>
      );
    },
    [transcript, indicesIn, check, selected],
  );
  const actions = useCallback(
    (item: Item) => (
      <button
        type="button"
        className="button-quiet"
        onClick={() => onInspect(transcript.indexOf.get(item.message) ?? 0)}
      >
        JSON
      </button>
    ),
    [transcript, onInspect],
  );

  // Unlike a chat, a file is read from its start.
  const first = useRef(items[0]?.key);
  useLayoutEffect(() => {
    if (first.current !== undefined) list.current?.showItem(first.current);
  }, []);
  const before = useRef({ shown, jump });
  useEffect(() => {
    const last = before.current;
    before.current = { shown, jump };
    if (jump !== undefined && jump !== last.jump) {
      const item = itemFor(items, branch, branch.path.indexOf(jump.index));
      if (item !== undefined) list.current?.showItem(item.key);
      return;
    }
    const newest = items.at(-1);
    if (shown !== last.shown && newest !== undefined) list.current?.showItem(newest.key, "end");
  }, [shown, jump, items, branch]);

  return (
    <main className="viewer-main">
      <Transcript
        ref={list}
        items={items}
        // In a replay, the results of the last calls are still to come.
        busy={shown < branch.messages.length}
        actions={actions}
        remarks={remarks}
        label="Transcript"
      />
    </main>
  );
}
