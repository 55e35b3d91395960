import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Change, Rows, SegmentRow } from "../rows.js";
import type { SegmentParts } from "./segment-builder.js";
import { Segment, writeSegment } from "./segment-file.js";

function nameOf(n: number): string {
  return `${n}.segment`;
}

export function openSegment(texts: string, { n }: SegmentRow): Segment {
  return new Segment(join(texts, nameOf(n)));
}

/** Writes a segment's file, and returns the change that makes it a part of the index: after all others, or at a place. */
export function newSegment(rows: Rows, texts: string, parts: SegmentParts, place?: number): Change {
  const n = rows.lastSegment + 1;
  const path = join(texts, nameOf(n));
  // A killed process may have written it without the change.
  rmSync(path, { force: true });
  writeSegment(path, parts);
  const bytes = parts.sections.at(-1)?.length ?? 0;
  return { kind: "segment", row: { n, place: place ?? n, messages: parts.messages, bytes } };
}

/** Deletes files that are not a part of the index. */
export function removeOrphans({ segments }: Rows, texts: string): void {
  const known = new Set([...segments.keys()].map(nameOf));
  for (const name of readdirSync(texts)) if (!known.has(name)) rmSync(join(texts, name), { force: true });
}
