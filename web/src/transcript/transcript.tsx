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
import { texts } from "../text/texts.js";
import { TranscriptContext, type TranscriptContextValue } from "./context.js";
import type { Item } from "./items.js";
import type { LiveAnswer, LivePart } from "./live/live-answer.js";
import { useStickToEnd } from "./live/use-stick-to-end.js";
import { count } from "./numbers.js";
import { RowView } from "./row-view.js";
import { grewAtStart, liveRows, type Row, storedRows } from "./rows.js";
import { ToolActivity } from "./tools/tool-activity.js";
import { usePrinting } from "./use-printing.js";
import "./transcript.css";

export interface TranscriptHandle {
  /** Scrolls to the message with this id; false if it is not among the items. */
  showMessage(id: string): boolean;
  /** Scrolls to an item by key: its start at the top, or its end at the bottom. */
  showItem(key: string, align?: "start" | "end"): boolean;
  /** Scrolls to a row by key. */
  showRow(key: string): boolean;
  showEnd(): void;
}

export interface TranscriptProps {
  items: readonly Item[];
  /** The streaming answer. */
  live?: LiveAnswer | undefined;
  tools?: ToolActivity | undefined;
  /** A run is active. */
  busy?: boolean;
  /** The actions on a message. Pass a stable function, or every row is rendered again. */
  actions?: ((item: Item) => ReactNode) | undefined;
  /** Remarks above a message. Pass a stable function. */
  remarks?: ((item: Item) => ReactNode) | undefined;
  /** The reader is near the start: load older messages. */
  onStart?: (() => void) | undefined;
  /** What the reader searches for, and the key of the row to unfold. Pass a stable object. */
  sought?: TranscriptContextValue["sought"];
  /** Offers to jump to the end; a file is read from its start. */
  followsEnd?: boolean;
  /** Opens the session of a sub-agent. */
  onOpenSession?: ((session: string) => void) | undefined;
  /** Shown below the last message. */
  end?: ReactNode;
  label?: string;
  ref?: Ref<TranscriptHandle>;
}

const noTools = new ToolActivity();
const noParts: readonly LivePart[] = [];
const noSubscription = () => () => undefined;
/** On paper. */
const everyFoldOpen = new (class extends Map<string, boolean> {
  override get(): boolean {
    return true;
  }
})();
const NEAR_START_PX = 800;
/** Above a row that is shown, so that the one before it is seen, too. */
const SPACE_ABOVE_PX = 96;

/** A session's messages in a virtual list that follows its end while it grows. */
export function Transcript(props: TranscriptProps) {
  const {
    items,
    live,
    tools = noTools,
    busy = false,
    actions,
    remarks,
    onStart,
    onOpenSession,
    sought,
    followsEnd = true,
    end,
    label = texts.transcript.conversation,
  } = props;
  const parts = useSyncExternalStore(live?.subscribe ?? noSubscription, live?.snapshot ?? (() => noParts));
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
    const show = (matches: (item: Item) => boolean, align: "start" | "end" = "start") => {
      const isRow = ({ content: shown }: Row) => shown.type === "stored" && matches(shown.item);
      const at = align === "start" ? rows.findIndex(isRow) : rows.findLastIndex(isRow);
      if (at < 0) return false;
      stick.release();
      list.current?.scrollToIndex(at, { align, offset: align === "start" ? -24 : 24 });
      return true;
    };
    return {
      showMessage: (id) => show(({ message }) => message.id === id),
      showItem: (key, align) => show((item) => item.key === key, align),
      showRow: (key) => {
        const at = rows.findIndex((row) => row.key === key);
        if (at < 0) return false;
        stick.release();
        list.current?.scrollToIndex(at, { align: "start", offset: -SPACE_ABOVE_PX });
        return true;
      },
      showEnd: stick.showEnd,
    };
  }, [rows, stick]);

  const isPrinting = usePrinting();
  const [folds] = useState(() => new Map<string, boolean>());
  const context = useMemo(
    () => ({
      tools,
      busy,
      folds: isPrinting ? everyFoldOpen : folds,
      sought,
      openSession: onOpenSession,
    }),
    [tools, busy, isPrinting, folds, sought, onOpenSession],
  );

  const near = (offset: number) => {
    if (offset < NEAR_START_PX) onStart?.();
  };
  // Rows that do not fill the page cannot be scrolled, so check whenever they change.
  useEffect(() => {
    if (rows.length > 0 && (scroller.current?.scrollTop ?? 0) < NEAR_START_PX) onStart?.();
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
            {isPrinting ? (
              <PrintedRows rows={rows} remarks={remarks} isCut={onStart !== undefined} />
            ) : (
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
            )}
            {end}
          </div>
        </div>
        {followsEnd && !stick.atEnd && (
          <button type="button" className="transcript-latest" onClick={stick.showEnd}>
            {texts.transcript.jumpToLatest}
          </button>
        )}
      </div>
    </TranscriptContext>
  );
}

/** More would take the browser minutes. */
const MOST_PRINTED = 5_000;

interface PrintedRowsProps extends Pick<TranscriptProps, "remarks"> {
  rows: readonly Row[];
  /** Older messages are not loaded. */
  isCut: boolean;
}

/** The rows on paper: all of them, not only those on the screen. */
function PrintedRows({ rows, remarks, isCut }: PrintedRowsProps) {
  return (
    <>
      {isCut ? <p className="row">{texts.transcript.olderNotPrinted}</p> : null}
      {rows.slice(0, MOST_PRINTED).map((row) => (
        <RowView key={row.key} row={row} actions={undefined} remarks={remarks} />
      ))}
      {rows.length > MOST_PRINTED ? (
        <p className="row">{texts.transcript.printed(count(MOST_PRINTED), count(rows.length))}</p>
      ) : null}
    </>
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
