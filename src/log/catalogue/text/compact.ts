import type { Pause } from "../pause.js";
import type { Change, SegmentRow } from "../rows.js";
import type { OpenIndex, Store } from "../store.js";
import { ROLES, SegmentBuilder } from "./segment-builder.js";
import type { Segment } from "./segment-file.js";
import { newSegment, openSegment, removeOrphans } from "./segments.js";

/** So many neighbours of about the same size are joined. */
const JOINED = 8;
/** Sizes of texts in bytes: up to the first, up to the second, and so on. Larger segments are not joined. */
const LEVELS = [16 * 1024, 128 * 1024, 1024 * 1024, 4 * 1024 * 1024];
const JOINED_BYTES = 8 * 1024 * 1024;
/** A segment is rewritten once this part of its messages belongs to replaced sessions. */
const REPLACED_PART = 1 / 4;

interface Chosen {
  rows: SegmentRow[];
  segments: Segment[];
  /** The sessions whose messages are left out. */
  gone: ReadonlySet<number>;
}

/**
 * Joins small segments, and removes messages of sessions that are gone. Segments are read and built without the lock, and
 * replaced only if no other process has replaced them meanwhile.
 */
export async function compact(store: Store, pause: Pause, proceed: () => void): Promise<void> {
  for (;;) {
    proceed();
    const chosen = await store.use(choose);
    if (chosen === undefined) return;
    const builder = new SegmentBuilder();
    try {
      for (const segment of chosen.segments) await copy(segment, builder, chosen.gone, pause);
    } finally {
      for (const segment of chosen.segments) segment.close();
    }
    proceed();
    const parts = builder.messages === 0 ? undefined : await builder.finish(pause);
    await store.use(({ rows, texts, commit }) => {
      const [first] = chosen.rows;
      if (first === undefined || !chosen.rows.every(({ n }) => rows.segments.has(n))) return;
      const replaced: Change[] = chosen.rows.map(({ n }) => ({ kind: "replaced", n }));
      const added = parts === undefined ? [] : [newSegment(rows, texts, parts, first.place)];
      commit([...replaced, ...added]);
      removeOrphans(rows, texts);
    });
  }
}

async function copy(
  segment: Segment,
  builder: SegmentBuilder,
  gone: ReadonlySet<number>,
  pause: Pause,
): Promise<void> {
  const [positions, timestamps] = [segment.numbers("positions"), segment.numbers("timestamps")];
  const roles = segment.roles();
  for (const [message, session] of segment.integers("sessions").entries()) {
    if (session === 0 || gone.has(session)) continue;
    builder.add(session, {
      text: segment.stringOf("texts", message) ?? "",
      id: segment.stringOf("ids", message),
      position: positions[message] ?? 0,
      role: ROLES[roles[message] ?? 0] ?? "user",
      timestamp: timestamps[message] ?? 0,
    });
    await pause();
  }
}

/** The next segments to rewrite, open. */
function choose(index: OpenIndex): Chosen | undefined {
  const { rows: all, texts } = index;
  const rows = rowsWithGone(index) ?? smallRows(all.orderedSegments());
  if (rows === undefined) return undefined;
  return { rows, segments: rows.map((row) => openSegment(texts, row)), gone: new Set(all.gone.keys()) };
}

/** A segment with messages that have to go. Sessions that no segment has messages of are forgotten. */
function rowsWithGone({ rows: { gone, segments }, texts, commit }: OpenIndex): SegmentRow[] | undefined {
  if (gone.size === 0) return undefined;
  const found = new Set<number>();
  for (const row of segments.values()) {
    const segment = openSegment(texts, row);
    let replaced = 0;
    let deleted = 0;
    try {
      for (const session of segment.integers("sessions")) {
        const isDeleted = gone.get(session);
        if (isDeleted === undefined) continue;
        found.add(session);
        replaced += 1;
        deleted += Number(isDeleted);
      }
    } finally {
      segment.close();
    }
    if (deleted > 0 || replaced > row.messages * REPLACED_PART) return [row];
  }
  commit([...gone.keys()].filter((n) => !found.has(n)).map((n) => ({ kind: "forget", n })));
  return undefined;
}

/** Neighbours of about the same size, if there are enough. */
function smallRows(all: readonly SegmentRow[]): SegmentRow[] | undefined {
  for (const most of LEVELS) {
    let run: SegmentRow[] = [];
    let bytes = 0;
    for (const row of all) {
      const fits = row.bytes < most && bytes + row.bytes <= JOINED_BYTES;
      if (!fits && run.length >= JOINED) return run;
      if (row.bytes >= most) [run, bytes] = [[], 0];
      else if (fits) {
        run.push(row);
        bytes += row.bytes;
      } else [run, bytes] = [[row], row.bytes];
    }
    if (run.length >= JOINED) return run;
  }
  return undefined;
}
