import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { forget } from "../../core/records/deviation.js";
import { restoreTreeLine } from "../../core/records/tree-line.js";
import type { CompactionMessage } from "../../core/types.js";
import { frameOf, lineUuid, uuidOf } from "./frame.js";
import { laterLines, notesOf } from "./notes.js";

/** The boundary, and the summary as a user's message. `last` is the line before. */
export function compactionLines(message: CompactionMessage, last: JsonRecord): JsonRecord[] {
  const notes = currentNotes(message);
  const boundary = restoreTreeLine(boundaryLine(message, last), notes, message);
  if (message.summary === "") return [boundary];
  const [later = {}] = laterLines(notes);
  const id = message.id ?? String(frameOf(message, last).after["uuid"]);
  return [boundary, restoreTreeLine(summaryLine({ ...message, id }, boundary), later)];
}

/** The notes without a line that the boundary followed, if the message has another parent. */
function currentNotes(message: CompactionMessage): JsonObject {
  const notes = notesOf(message);
  const { fields } = notes;
  const named = isObject(fields) ? fields["logicalParentUuid"] : undefined;
  return isString(named) && named !== message.parentId ? forget(notes, "logicalParentUuid") : notes;
}

/** The model is shown nothing before a boundary, which therefore has no parent. */
export function boundaryLine(message: CompactionMessage, last: JsonRecord): JsonRecord {
  const { before, after } = frameOf(message, last);
  const { parentUuid, ...others } = before;
  const uuid = String(after["uuid"]);
  return {
    parentUuid: null,
    ...(parentUuid === null ? {} : { logicalParentUuid: parentUuid }),
    ...others,
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    isMeta: false,
    ...after,
    uuid: message.summary === "" ? uuid : lineUuid(uuid, 0),
    level: "info",
    compactMetadata: metadataOf(message, uuid, parentUuid),
  };
}

function metadataOf(message: CompactionMessage, anchorUuid: string, tailUuid: unknown): JsonObject {
  const { tokensBefore, firstKeptId, keptIds } = message;
  const uuids = keptIds?.map(uuidOf);
  return {
    trigger: "manual",
    ...(tokensBefore === undefined ? {} : { preTokens: tokensBefore }),
    ...(firstKeptId === undefined
      ? {}
      : { preservedSegment: { headUuid: uuidOf(firstKeptId), anchorUuid, tailUuid } }),
    ...(uuids === undefined ? {} : { preservedMessages: { anchorUuid, uuids, allUuids: uuids } }),
  };
}

/** The summary follows the boundary, and has the id of the message. */
export function summaryLine(
  { parentId: _, ...message }: CompactionMessage,
  boundary: JsonRecord,
): JsonRecord {
  const { before, after } = frameOf(message, boundary);
  return {
    ...before,
    type: "user",
    message: { role: "user", content: message.summary },
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
    ...after,
  };
}
