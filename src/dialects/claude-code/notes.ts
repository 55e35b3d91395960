import { isObject, type JsonObject } from "../../core/json/value.js";
import { differencesOf } from "../../core/records/differences.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { isSideLine } from "../../core/records/tree-line.js";
import type { AgentMessage } from "../../core/types.js";
import { NAME } from "./wire.js";

/**
 * `ext["claude-code"]` contains how the first line of a message differs from the one we would write (`fields`, `absent`,
 * `inside`), and
 *
 * - `lines`: the same for its other lines, each compared with the line before it;
 * - `counts`: the number of blocks on each line of an answer, unless each has one;
 * - `gaps`: the number of other lines before each further line, unless they are consecutive;
 * - `parent`: the `parentUuid` of the line and the `parentId` it was read as, if these differ;
 * - `merged`: the message is on the same line as the one before it;
 * - `carried`: the line is one that carries the message, and has other notes;
 * - `type`: the type of the line, if another would be written;
 * - `string`: an answer's content is a string;
 * - `form`: a result's only text is a list of blocks;
 * - `block`: how a `tool_result` block differs;
 * - `own`: `details` are Claude Code's own structure;
 * - on blocks: `kept`, for an empty text or unsigned thinking that Claude Code wrote itself.
 */
export const { notesOf, extWith, addNotes, withNotes, othersIn } = ownNotes(NAME);

/**
 * How the first line of a message differs from ours, all nested objects compared. A parent that we would not write is noted
 * with the one that it was read as.
 */
export function lineNotes(
  written: JsonObject,
  ours: JsonObject,
  { parentId = null }: AgentMessage,
): JsonObject {
  const { parentUuid } = written;
  if (parentUuid === undefined || parentUuid === ours["parentUuid"]) return differencesOf(written, ours);
  const notes = differencesOf(written, { ...ours, parentUuid });
  notes["parent"] = [parentUuid, parentId];
  return notes;
}

/** Whether a message is part of a sub-agent's branch. */
export function isSide(message: AgentMessage): boolean {
  return isSideLine(notesOf(message));
}

/** The notes on the lines after the first. */
export function laterLines({ lines }: JsonObject): JsonObject[] {
  return Array.isArray(lines) ? lines.map((line) => (isObject(line) ? line : {})) : [];
}
