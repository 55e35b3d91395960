import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "node-sqlite3-wasm";
import { numberIn } from "../row.js";
import type { SegmentParts } from "./segment-builder.js";
import { Segment, writeSegment } from "./segment-file.js";

/** A segment as the database has it. */
export interface SegmentRow {
  n: number;
  /** Segments with later messages have a higher one. */
  place: number;
  messages: number;
  /** Of the messages' texts. */
  bytes: number;
}

function nameOf(n: number): string {
  return `${n}.segment`;
}

/** All segments, from the oldest messages to the latest. */
export function readSegments(db: Database): SegmentRow[] {
  return db.all("SELECT * FROM segments ORDER BY place").map((row) => ({
    n: numberIn(row, "n"),
    place: numberIn(row, "place"),
    messages: numberIn(row, "messages"),
    bytes: numberIn(row, "bytes"),
  }));
}

export function openSegment(texts: string, { n }: SegmentRow): Segment {
  return new Segment(join(texts, nameOf(n)));
}

/** Writes a segment and its row, after all others or at a place. Belongs into a transaction. */
export function addSegment(db: Database, texts: string, parts: SegmentParts, place?: number): void {
  const bytes = parts.sections.at(-1)?.length ?? 0;
  const { lastInsertRowid } = db.run(
    `INSERT INTO segments (place, messages, bytes)
      VALUES (coalesce(?, (SELECT coalesce(max(place), 0) + 1 FROM segments)), ?, ?)`,
    [place ?? null, parts.messages, bytes],
  );
  const path = join(texts, nameOf(Number(lastInsertRowid)));
  // A killed process may have written it without its row.
  rmSync(path, { force: true });
  writeSegment(path, parts);
}

/** Deletes files without a row. */
export function removeOrphans(db: Database, texts: string): void {
  const known = new Set(readSegments(db).map(({ n }) => nameOf(n)));
  for (const name of readdirSync(texts)) if (!known.has(name)) rmSync(join(texts, name), { force: true });
}
