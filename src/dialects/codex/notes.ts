import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/**
 * `ext.codex` contains
 *
 * - `shape`: the kinds of lines that a message was read from, if we would write others (`encode-lines.ts`);
 * - `lines`: how each of these lines differs from ours;
 * - `gaps`: the number of other lines before each further line, unless they are consecutive;
 * - on a session: how the payload of its line differs (`fields`, `absent`, `inside`), `line` and `title` for the lines
 *   themselves, `bare` for a header without an envelope;
 * - `headless`: the first message of a file without a header;
 * - `inner`: an event with text comes between the lines of an answer;
 * - `carried`: the message is carried in a line of ours, and we would write another line;
 * - `bare`: a custom message was read from a line without a payload;
 * - `form`: of a call, `custom` or `shell`; of a result, `custom`;
 * - `listed`: the only text of a result is in a list;
 * - `open`: a compaction has no `replacement_history`;
 * - on blocks: how a part differs, `joins` if it is in the same item as the block before, `part` if an opaque block is a
 *   part of a message and not an item.
 */
export const { notesOf, extWith, addNotes, withNotes, othersIn } = ownNotes(NAME);

/** How a record differs from ours. Edited fields are not restored. */
export function guardedDifferences(written: JsonObject, ours: JsonObject): JsonObject {
  return differencesOf(written, ours, true);
}

/** The notes on the lines of a message; undefined if none differs. */
export function lineNotes(
  written: readonly JsonRecord[],
  ours: readonly JsonRecord[],
): JsonObject[] | undefined {
  const notes: JsonObject[] = [];
  let isSame = true;
  for (let index = 0; index < written.length; index++) {
    const noted = guardedDifferences(written[index] ?? {}, ours[index] ?? {});
    notes.push(noted);
    isSame &&= isEmpty(noted);
  }
  return isSame ? undefined : notes;
}

export function restoreLines(ours: JsonRecord[], lines: unknown): JsonRecord[] {
  if (!Array.isArray(lines) || lines.length !== ours.length) return ours;
  // Not `map`: arrays of a conversion have one kind (decision 410).
  const restored: JsonRecord[] = [];
  for (const record of ours) restored.push(restore(record, lines[restored.length]));
  return restored;
}
