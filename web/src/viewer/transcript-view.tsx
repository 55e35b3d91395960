import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { viewerTexts } from "../text/viewer-texts.js";
import { each } from "../transcript/each.js";
import type { Item } from "../transcript/items.js";
import { Transcript, type TranscriptHandle } from "../transcript/transcript.js";
import { BranchSwitch } from "./branch-switch.js";
import { itemFor, messagesIn } from "./model/branch.js";
import type { OpenTranscript, View } from "./model/open-transcript.js";
import { answeredCalls, runningTools } from "./model/running-tools.js";
import { ProblemText } from "./panels/problems-panel.js";
import type { Find } from "./use-find.js";
import { useHighlights } from "./use-highlights.js";

interface TranscriptViewProps {
  transcript: OpenTranscript;
  view: View;
  /** The items on display. */
  items: readonly Item[];
  /** How many messages of the branch are shown. */
  shown: number;
  find: Find;
  onInspect: (index: number) => void;
  /** The message that the reader wants to see is filtered out. */
  onHidden: () => void;
}

/** More would hide the message. */
const REMARKS = 4;

/** The messages, with problems shown above them. */
export function TranscriptView(props: TranscriptViewProps) {
  const { transcript, view, items, shown, find, onInspect, onHidden } = props;
  const { branch, selected, jump, check } = view;
  const list = useRef<TranscriptHandle>(null);
  const main = useRef<HTMLElement>(null);
  const isReplay = shown < branch.messages.length;
  const calls = useMemo(() => (isReplay ? answeredCalls(branch.messages) : []), [branch, isReplay]);
  const tools = useMemo(() => runningTools(calls, shown), [calls, shown]);

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
            <ul className="viewer-remarks" aria-label={viewerTexts.problems.atMessage}>
              {each(problems.slice(0, REMARKS), (problem) => (
                <li data-severity={problem.severity}>
                  <ProblemText problem={problem} />
                </li>
              ))}
              {problems.length > REMARKS ? (
                <li>{viewerTexts.problems.more(problems.length - REMARKS)}</li>
              ) : null}
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
        {viewerTexts.panelNames.message}
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
    if (jump !== undefined && jump !== last.jump) {
      const message = transcript.messages[jump.index];
      const isShown = items.some((item) => messagesIn(item).some((one) => one === message));
      // Without the filter it is called again, with all items.
      if (!isShown && items.some(({ places }) => places !== undefined)) return onHidden();
      before.current = { shown, jump };
      const item = itemFor(items, branch, branch.path.indexOf(jump.index));
      if (item !== undefined) list.current?.showItem(item.key);
      return;
    }
    before.current = { shown, jump };
    const newest = items.at(-1);
    if (shown !== last.shown && newest !== undefined) list.current?.showItem(newest.key, "end");
  }, [shown, jump, items, branch, transcript, onHidden]);

  const { query, current } = find;
  useEffect(() => {
    if (current !== undefined) list.current?.showRow(current.hit.key);
  }, [current]);
  useHighlights(
    useCallback(() => main.current, []),
    query,
    useMemo(() => current && { key: current.hit.key }, [current]),
  );
  const row = current?.hit.key;
  const sought = useMemo(() => (query === "" ? undefined : { text: query, row }), [query, row]);

  return (
    <main className="viewer-main" ref={main}>
      <Transcript
        ref={list}
        items={items}
        tools={tools}
        sought={sought}
        followsEnd={isReplay}
        actions={actions}
        remarks={remarks}
        label={viewerTexts.transcript}
      />
    </main>
  );
}
