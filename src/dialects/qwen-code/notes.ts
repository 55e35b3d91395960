import type { JsonObject } from "../../core/json/value.js";
import { contentParts } from "../../core/records/content-parts.js";
import { differencesOf } from "../../core/records/differences.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { isSideLine, restoreTreeLine } from "../../core/records/tree-line.js";
import type { AgentMessage } from "../../core/types.js";
import { NAME } from "./wire.js";

/**
 * `ext["qwen-code"]` contains how the first line of a message differs from the one we would write (`fields`, `absent`,
 * `inside`), and
 *
 * - `lines`: the same for further lines of an answer, compared with the first one;
 * - `counts`: the number of parts on each line, if there are several;
 * - `parent`: the `parentUuid` of the line and the `parentId` it was read as, if we would write another one;
 * - `merged`: a result is on the same line as the one before it;
 * - `json`, `nested`, `response`: how a `functionResponse` was written (`content-parts.ts`);
 * - `carried`: the message is carried in a line of ours, and we would write another line.
 */
export const { notesOf, extWith, addNotes, othersIn } = ownNotes(NAME);

/** Qwen Code sends only media that are in the response. */
export const { readAnswerPart, readUserPart, writeParts, readResponse, writeResponse } = contentParts(
  NAME,
  true,
);

/** Notes on a message how its line differs from ours. The parent is noted separately. */
export function noteLine(
  message: AgentMessage,
  written: JsonObject,
  ours: JsonObject,
  first = message,
): void {
  const { parentUuid } = written;
  const expected = parentUuid === undefined ? ours : { ...ours, parentUuid };
  const isOther = parentUuid !== undefined && parentUuid !== ours["parentUuid"];
  addNotes(message, {
    ...differencesOf(written, expected),
    ...(isOther ? { parent: [parentUuid, first.parentId ?? null] } : {}),
  });
}

/** The line as it was read. */
export function restoreLine(ours: JsonObject, message: AgentMessage): JsonObject {
  return restoreTreeLine(ours, notesOf(message), message);
}

/** Whether a message is part of a sub-agent's branch. */
export function isSide(message: AgentMessage): boolean {
  return isSideLine(notesOf(message));
}
