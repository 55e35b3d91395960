import {
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { TranscriptContext } from "./context.js";
import type { Item } from "./items.js";
import type { LiveAnswer, LivePart } from "./live/live-answer.js";
import { useStickToEnd } from "./live/use-stick-to-end.js";
import { RowView } from "./row-view.js";
import { grewAtStart, liveRows, type Row, storedRows } from "./rows.js";
import { ToolActivity } from "./tools/tool-activity.js";
import "./transcript.css";

export interface TranscriptHandle {
  /** Shows the message with this id; false when it is not among the items. */
  showMessage(id: string): boolean;
  /** The same for an item's key: its beginning at the top, or its end at the bottom. */
  showItem(key: string, align?: "start" | "end"): boolean;
  showEnd(): void;
}

export interface TranscriptProps {
  items: readonly Item[];
  /** The answer that is being written, if one is. */
  live?: LiveAnswer | undefined;
  tools?: ToolActivity | undefined;
  /** A run is under way. */
  busy?: boolean;
  /** What can be done with a message. Give the same function each time, or every row is made again. */
  actions?: ((item: Item) => ReactNode) | undefined;
  /** What is remarked on a message, above it. The same goes for it. */
  remarks?: ((item: Item) => ReactNode) | undefined;
  /** The reader is near the beginning: load what comes before. */
  onStart?: (() => void) | undefined;
  /** A tool was done by another agent, in a session of its own. */
  onOpenSession?: ((session: string) => void) | undefined;
  /** Below the last message, scrolling with it. */
  end?: ReactNode;
  label?: string;
  ref?: Ref<TranscriptHandle>;
}

const noParts: readonly LivePart[] = [];
const nothing = () => () => undefined;
const NEAR_START = 800;

/** The messages of a session in a list that has only those on the page that can be seen, and keeps to its end while it grows. */
export function Transcript(props: TranscriptProps) {
  const {
    items,
    live,
    tools,
    busy = false,
    actions,
    remarks,
    onStart,
    onOpenSession,
    end,
    label = "Conversation",
  } = props;
  const parts = useSyncExternalStore(live?.subscribe ?? nothing, live?.snapshot ?? (() => noParts));
  const stored = useMemo(() => storedRows(items), [items]);
  const rows = useMemo(() => withLive(stored, items, live, parts), [stored, items, live, parts]);

  const shownBefore = useRef<readonly Row[]>([]);
  const shift = grewAtStart(shownBefore.current, rows);
  useLayoutEffect(() => {
    shownBefore.current = rows;
  }, [rows]);

  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const stick = useStickToEnd(scroller, content);

  useImperativeHandle(props.ref, () => {
    const show = (isMeant: (item: Item) => boolean, align: "start" | "end" = "start") => {
      const isRow = ({ content: shown }: Row) => shown.type === "stored" && isMeant(shown.item);
      const at = align === "start" ? rows.findIndex(isRow) : rows.findLastIndex(isRow);
      if (at < 0) return false;
      stick.release();
      list.current?.scrollToIndex(at, { align, offset: align === "start" ? -24 : 24 });
      return true;
    };
    return {
      showMessage: (id) => show(({ message }) => message.id === id),
      showItem: (key, align) => show((item) => item.key === key, align),
      showEnd: stick.showEnd,
    };
  }, [rows, stick]);

  const [folds] = useState(() => new Map<string, boolean>());
  const [noTools] = useState(() => new ToolActivity());
  const context = useMemo(
    () => ({ tools: tools ?? noTools, busy, folds, openSession: onOpenSession }),
    [tools, noTools, busy, folds, onOpenSession],
  );

  const near = (offset: number) => {
    if (offset < NEAR_START) onStart?.();
  };
  // Rows that do not fill the page cannot be scrolled: look whenever there are others.
  useEffect(() => {
    if (rows.length > 0 && (scroller.current?.scrollTop ?? 0) < NEAR_START) onStart?.();
  }, [rows, onStart]);

  return (
    <TranscriptContext value={context}>
      <div className="transcript">
        <div
          className="transcript-scroller"
          ref={scroller}
          role="log"
          aria-live="off"
          aria-label={label}
          tabIndex={0}
        >
          <div className="transcript-content" ref={content}>
            <Virtualizer
              ref={list}
              data={rows}
              scrollRef={scroller}
              shift={shift}
              bufferSize={600}
              onScroll={near}
            >
              {(row) => <RowView key={row.key} row={row} actions={actions} remarks={remarks} />}
            </Virtualizer>
            {end}
          </div>
        </div>
        {!stick.atEnd && (
          <button type="button" className="transcript-latest" onClick={stick.showEnd}>
            Jump to the latest
          </button>
        )}
      </div>
    </TranscriptContext>
  );
}

function withLive(
  stored: readonly Row[],
  items: readonly Item[],
  live: LiveAnswer | undefined,
  parts: readonly LivePart[],
): readonly Row[] {
  if (live === undefined || parts.length === 0) return stored;
  const last = items.at(-1)?.message;
  const goesOn = last?.role === "assistant" && last.sender === live.sender;
  return [...stored, ...liveRows(live, parts, goesOn)];
}
