import { type KeyboardEvent, type PointerEvent, useMemo, useState } from "react";
import { viewerTexts } from "../text/viewer-texts.js";
import { moment as timeText } from "../transcript/dates.js";
import { count, dollars, duration } from "../transcript/numbers.js";
import type { OpenTranscript, View } from "./model/open-transcript.js";
import type { Hit } from "./model/search.js";
import { type Column, columnsOf, type Measure, type Moment, measures } from "./model/timeline.js";

interface TimelineViewProps {
  transcript: OpenTranscript;
  view: View;
  /** How many messages the replay has shown so far. */
  shown: number;
  /** What the reader searches for was found here. */
  hits: readonly Hit[] | undefined;
}

const COLUMNS = 240;
const LANE = 20;
const GAP = 4;

/** Tokens, cost and time of each message. The arrow keys move along it. */
export function TimelineView({ transcript, view, shown, hits }: TimelineViewProps) {
  const { moments, path } = view.branch;
  const words = viewerTexts.timeline;
  const [hovered, setHovered] = useState<number>();
  const columns = useMemo(() => columnsOf(moments, COLUMNS), [moments]);
  const lanes = measures.filter((measure) => columns.some((column) => column[measure] > 0));
  const selected = view.selected?.kind === "message" ? path.indexOf(view.selected.index) : -1;
  const focused = hovered ?? (selected < 0 ? undefined : selected);
  const moment = focused === undefined ? undefined : moments[focused];
  const go = (position: number) => {
    const at = moments[Math.min(Math.max(position, 0), moments.length - 1)];
    if (at !== undefined) transcript.goTo(at.index);
  };
  const under = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(0.9999, Math.max(0, (clientX - left) / width));
    return columns[Math.floor(share * columns.length)]?.start;
  };
  const move = (event: KeyboardEvent) => {
    const next = nextPosition(event.key, selected, moments.length);
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  };
  const marked = useMemo(
    () => (hits === undefined ? [] : markedColumns(columns, positionsOf(hits, transcript, path))),
    [hits, columns, transcript, path],
  );
  if (lanes.length === 0) return null;
  const height = lanes.length * (LANE + GAP);
  return (
    <div className="viewer-timeline">
      <div className="viewer-lanes" aria-hidden="true">
        {lanes.map((measure) => (
          <span key={measure}>{words.lanes[measure]}</span>
        ))}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={words.label}
        aria-valuemin={1}
        aria-valuemax={moments.length}
        aria-valuenow={selected + 1}
        aria-valuetext={selected < 0 ? words.noneSelected : sentenceOf(moments, selected)}
        className="viewer-chart"
        onKeyDown={move}
        onPointerMove={(event) => setHovered(under(event))}
        onPointerLeave={() => setHovered(undefined)}
        onPointerDown={(event) => {
          const start = under(event);
          if (start !== undefined) go(start);
        }}
      >
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${columns.length} ${height}`}
          preserveAspectRatio="none"
          height={height}
        >
          {lanes.map((measure, lane) => (
            <Lane key={measure} columns={columns} measure={measure} top={lane * (LANE + GAP)} shown={shown} />
          ))}
          {marked.map((column) => (
            <rect key={column} className="viewer-mark" x={column} y={0} width={1} height={height} />
          ))}
          {focused === undefined ? null : (
            <rect className="viewer-cursor" x={columnAt(columns, focused)} y={0} width={1} height={height} />
          )}
        </svg>
      </div>
      <p className="viewer-readout viewer-quiet one-line" aria-hidden="true">
        {moment === undefined || focused === undefined
          ? viewerTexts.messages(moments.length)
          : sentenceOf(moments, focused)}
      </p>
    </div>
  );
}

interface LaneProps {
  columns: readonly Column[];
  measure: Measure;
  top: number;
  shown: number;
}

function Lane({ columns, measure, top, shown }: LaneProps) {
  const most = Math.max(...columns.map((column) => column[measure]));
  // Few messages get narrow bars.
  const width = Math.min(0.8, Math.max(0.2, columns.length / 150));
  return (
    <g data-measure={measure}>
      {columns.map((column, at) => {
        if (column[measure] <= 0) return null;
        // The square root, so that one large value does not flatten all others; the smallest stay visible.
        const height = Math.max(1.5, Math.sqrt(column[measure] / most) * LANE);
        return (
          <rect
            key={column.start}
            className="viewer-bar"
            data-coming={column.start >= shown}
            x={at + (1 - width) / 2}
            y={top + LANE - height}
            width={width}
            height={height}
          />
        );
      })}
    </g>
  );
}

/** The positions of the hits on the branch. */
function positionsOf(hits: readonly Hit[], transcript: OpenTranscript, path: readonly number[]): Set<number> {
  const indices = new Set(hits.map(({ item }) => transcript.indexOf.get(item.message)));
  return new Set(path.flatMap((index, position) => (indices.has(index) ? [position] : [])));
}

/** The columns that contain one of these positions. */
function markedColumns(columns: readonly Column[], positions: ReadonlySet<number>): number[] {
  return columns.flatMap(({ start, end }, column) => {
    for (let position = start; position < end; position++) if (positions.has(position)) return [column];
    return [];
  });
}

function columnAt(columns: readonly Column[], position: number): number {
  const found = columns.findIndex(({ start, end }) => start <= position && position < end);
  return Math.max(0, found);
}

function nextPosition(key: string, at: number, length: number): number | undefined {
  const before = at < 0 ? length - 1 : at - 1;
  const positions: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    ArrowLeft: before,
    ArrowDown: before,
    PageUp: at + 10,
    PageDown: at - 10,
    Home: 0,
    End: length - 1,
  };
  return positions[key];
}

function sentenceOf(moments: readonly Moment[], position: number): string {
  const moment = moments[position];
  if (moment === undefined) return "";
  const { role, time, tokens, cost, durationMs, waiting } = moment;
  const words = viewerTexts.timeline;
  return [
    words.place(count(position + 1), count(moments.length)),
    role,
    ...(tokens === undefined ? [] : [viewerTexts.facts.tokens(count(tokens))]),
    ...(cost === undefined || cost === 0 ? [] : [dollars(cost)]),
    ...(durationMs === undefined ? [] : [waiting ? words.after(duration(durationMs)) : duration(durationMs)]),
    ...(time === undefined ? [] : [timeText(time)]),
  ].join(" · ");
}
