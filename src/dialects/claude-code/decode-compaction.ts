import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isNumber, isObject, isString } from "../../core/json/value.js";
import { differencesOf } from "../../core/records/differences.js";
import type { CompactionMessage } from "../../core/types.js";
import type { UnitLine } from "./decode-answer.js";
import { boundaryLine, summaryLine } from "./encode-compaction.js";
import { timeOf } from "./frame.js";
import { extWith, lineNotes } from "./notes.js";

/** The summary of a boundary, if the line is one. */
export function summaryOf({ record: boundary }: UnitLine, { record }: UnitLine): string | undefined {
  const { message, parentUuid, isCompactSummary } = record;
  if (isCompactSummary !== true || parentUuid !== boundary["uuid"] || !isObject(message)) return undefined;
  const { content } = message;
  return typeof content === "string" && content !== "" ? content : undefined;
}

/** A boundary and its summary, if it has one. Without `last`, the line before, it is not noted how they were written. */
export function readCompaction(
  boundary: UnitLine,
  summary: UnitLine | undefined,
  last: JsonRecord | undefined,
): CompactionMessage {
  const { record } = boundary;
  const text = summary === undefined ? undefined : summaryOf(boundary, summary);
  const time = timeOf(record);
  const id = (summary?.record ?? record)["uuid"];
  const synthesised = time === undefined ? ["/timestamp"] : [];
  const message: CompactionMessage = {
    role: "compaction",
    summary: text ?? "",
    ...(text === undefined ? {} : { verbatim: true }),
    ...readMetadata(record["compactMetadata"]),
    timestamp: time ?? 0,
    ...(typeof id === "string" ? { id } : {}),
    ...parentOf(record),
    ...extWith({}, synthesised),
  };
  if (last === undefined) return message;
  const ours = boundaryLine(message, last);
  const notes = lineNotes(record, ours, message);
  if (summary !== undefined) {
    const later = differencesOf(summary.record, summaryLine(message, record));
    if (!isEmpty(later)) notes["lines"] = [later];
    const gap = summary.index - boundary.index - 1;
    if (gap > 0) notes["gaps"] = [gap];
  }
  return { ...message, ...extWith(notes, synthesised) };
}

/** A boundary has no parent in the tree, but names the line that it follows. */
function parentOf({ logicalParentUuid, parentUuid }: JsonRecord): { parentId?: string | null } {
  if (isString(logicalParentUuid)) return { parentId: logicalParentUuid };
  return isString(parentUuid) || parentUuid === null ? { parentId: parentUuid } : {};
}

type Kept = Pick<CompactionMessage, "tokensBefore" | "firstKeptId" | "keptIds">;

function readMetadata(metadata: unknown): Kept {
  if (!isObject(metadata)) return {};
  const { preTokens, preservedMessages, preservedSegment } = metadata;
  const uuids = isObject(preservedMessages) ? preservedMessages["uuids"] : undefined;
  const headUuid = isObject(preservedSegment) ? preservedSegment["headUuid"] : undefined;
  const keptIds = Array.isArray(uuids) && uuids.every(isString) ? uuids : undefined;
  return {
    ...(isNumber(preTokens) ? { tokensBefore: preTokens } : {}),
    // The segment is the same selection, for earlier versions.
    ...(keptIds === undefined && isString(headUuid) ? { firstKeptId: headUuid } : {}),
    ...(keptIds === undefined ? {} : { keptIds }),
  };
}
