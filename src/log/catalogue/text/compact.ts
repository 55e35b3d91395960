import type { Database } from "node-sqlite3-wasm";
import type { Pause } from "../pause.js";
import { numberIn } from "../row.js";
import { type Store, transaction } from "../store.js";
import { ROLES, SegmentBuilder } from "./segment-builder.js";
import type { Segment } from "./segment-file.js";
import { addSegment, openSegment, readSegments, removeOrphans, type SegmentRow } from "./segments.js";

/** So many neighbours of about the same size are joined. */
const JOINED = 8;
/** Sizes of texts in bytes: up to the first, up to the second, and so on. Larger segments are not joined. */
const LEVELS = [16 * 1024, 128 * 1024, 1024 * 1024, 8 * 1024 * 1024];
const JOINED_BYTES = 16 * 1024 * 1024;
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
    await store.use((db, texts) =>
      transaction(db, () => {
        const left = new Set(readSegments(db).map(({ n }) => n));
        const [first] = chosen.rows;
        if (first === undefined || !chosen.rows.every(({ n }) => left.has(n))) return;
        for (const { n } of chosen.rows) db.run("DELETE FROM segments WHERE n = ?", n);
        if (parts !== undefined) addSegment(db, texts, parts, first.place);
      }),
    );
    await store.use(removeOrphans);
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
function choose(db: Database, texts: string): Chosen | undefined {
  const all = readSegments(db);
  const gone = new Map(
    db
      .all("SELECT session, is_deleted FROM gone")
      .map((row) => [numberIn(row, "session"), numberIn(row, "is_deleted") === 1]),
  );
  const rows = rowsWithGone(db, texts, all, gone) ?? smallRows(all);
  if (rows === undefined) return undefined;
  return { rows, segments: rows.map((row) => openSegment(texts, row)), gone: new Set(gone.keys()) };
}

/** A segment with messages that have to go. Sessions that no segment has messages of are forgotten. */
function rowsWithGone(
  db: Database,
  texts: string,
  all: readonly SegmentRow[],
  gone: ReadonlyMap<number, boolean>,
): SegmentRow[] | undefined {
  if (gone.size === 0) return undefined;
  const found = new Set<number>();
  for (const row of all) {
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
  for (const session of gone.keys()) {
    if (!found.has(session)) db.run("DELETE FROM gone WHERE session = ?", session);
  }
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
